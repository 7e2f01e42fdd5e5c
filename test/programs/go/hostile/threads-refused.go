// expect-error: syntax: codemode.Parallel

func Run() any {
	go func() {}()
	return 1
}
