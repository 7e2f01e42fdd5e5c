// expect-value: [{"name":"c","score":9},{"name":"a","score":7}]

import (
	"sort"
	"tools"
)

func Run() (any, error) {
	r, err := tools.Echo(map[string]any{"rows": []map[string]any{
		{"name": "a", "score": 7}, {"name": "b", "score": 2}, {"name": "c", "score": 9},
	}})
	if err != nil {
		return nil, err
	}
	rows := r.(map[string]any)["rows"].([]any)
	var kept []map[string]any
	for _, row := range rows {
		m := row.(map[string]any)
		if m["score"].(float64) > 5 {
			kept = append(kept, m)
		}
	}
	sort.Slice(kept, func(i, j int) bool { return kept[i]["score"].(float64) > kept[j]["score"].(float64) })
	return kept, nil
}
