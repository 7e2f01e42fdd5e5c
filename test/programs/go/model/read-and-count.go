// expect-value: 2

import (
	"os"
	"strings"
)

func Run(p map[string]any) (any, error) {
	content, err := os.ReadFile(map[string]any{"path": "/b.txt"})
	if err != nil {
		return nil, err
	}
	lines := strings.Split(content.(string), "\n")
	return len(lines), nil
}
