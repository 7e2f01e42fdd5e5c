// expect-error: syntax: codemode.Parallel

func Run() any {
	select {
	default:
	}
	return 1
}
