// params: {"path":"/a.txt"}
// expect-value: {"length":5,"text":"alpha"}

package main

import (
	"fmt"
	"os"
)

func Run(params map[string]interface{}) (interface{}, error) {
	path, ok := params["path"].(string)
	if !ok {
		return nil, fmt.Errorf("path is required")
	}
	result, err := os.ReadFile(map[string]interface{}{"path": path})
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", path, err)
	}
	text := fmt.Sprintf("%v", result)
	return map[string]interface{}{"text": text, "length": len(text)}, nil
}

func main() {}
