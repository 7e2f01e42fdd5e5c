// expect: timeout
// limits: {"wallMs": 500}

func Run() (any, error) {
	var calls []func() (any, error)
	for range 40 {
		calls = append(calls, func() (any, error) { return tools.Never() })
	}
	return codemode.Parallel(calls...)
}
