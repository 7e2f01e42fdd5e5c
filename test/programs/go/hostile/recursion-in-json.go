// expect: memory

import "encoding/json"

func Run() (any, error) {
	var v any = 1
	for range 200000 {
		v = []any{v}
	}
	text, err := json.Marshal(v)
	return len(text), err
}
