// expect: timeout

func Run() (any, error) {
	return codemode.Parallel(
		func() (any, error) { return tools.Slow(map[string]any{"ms": 1}) },
		func() (any, error) {
			for {
			}
		},
	)
}
