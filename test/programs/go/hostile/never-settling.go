// expect: timeout
// limits: {"wallMs": 500}

func Run() (any, error) {
	return tools.Never(map[string]any{})
}
