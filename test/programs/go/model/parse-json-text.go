// expect-value: 6

import (
	"encoding/json"
	"os"
)

type data struct {
	Size  int   `json:"size"`
	Items []int `json:"items"`
}

func Run() (any, error) {
	raw, err := os.ReadFile(map[string]any{"path": "/data.json"})
	if err != nil {
		return nil, err
	}
	var d data
	if err := json.Unmarshal([]byte(raw.(string)), &d); err != nil {
		return nil, err
	}
	sum := 0
	for _, item := range d.Items {
		sum += item
	}
	return sum, nil
}
