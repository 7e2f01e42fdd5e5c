// expect: tool_calls_exceeded
// limits: {"cpuMs": 8000, "wallMs": 20000}

func Run() (any, error) {
	var calls []func() (any, error)
	for range 3000 {
		calls = append(calls, func() (any, error) { return tools.Echo() })
	}
	return codemode.Parallel(calls...)
}
