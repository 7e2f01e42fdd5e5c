// expect: tool_calls_exceeded
// limits: {"cpuMs": 8000, "wallMs": 20000}

func Run() any {
	for i := 0; i < 1000000; i++ {
		tools.Add(map[string]any{"a": i, "b": 1})
	}
	return "done"
}
