// expect-value: [3,5,7]

func Run() (any, error) {
	var jobs []func() (any, error)
	for i := 1; i <= 3; i++ {
		jobs = append(jobs, func() (any, error) {
			return tools.Add(map[string]any{"a": i, "b": i + 1})
		})
	}
	return codemode.Parallel(jobs...)
}
