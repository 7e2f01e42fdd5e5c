// expect-error: runtime: contains itself

func Run() any {
	m := map[string]any{}
	m["self"] = m
	return m
}
