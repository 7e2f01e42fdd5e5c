// expect-error: syntax: v, err := tools.Add

import "tools"

func Run() any {
	sum := tools.Add(map[string]any{"a": 1, "b": 2})
	return sum
}
