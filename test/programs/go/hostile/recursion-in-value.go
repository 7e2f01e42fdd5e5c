// expect-error: runtime: nest

func Run() any {
	var v any = 1
	for range 100000 {
		v = []any{v}
	}
	return v
}
