// expect-error: syntax: assert its type

import "tools"

func Run() (any, error) {
	r, err := tools.List(map[string]any{"n": 3})
	if err != nil {
		return nil, err
	}
	return r["items"], nil
}
