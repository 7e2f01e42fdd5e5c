// expect-error: function_not_found: os.RaedFile

import "os"

func Run() (any, error) {
	return os.RaedFile(map[string]any{"path": "/a.txt"})
}
