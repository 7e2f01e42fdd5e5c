// params: {"count":"3"}
// expect-error: runtime: interface conversion

func Run(p map[string]any) (any, error) {
	count := p["count"].(float64)
	return count * 2, nil
}
