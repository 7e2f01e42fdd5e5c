// expect-value: {"code":"tool_failed","ok":false,"text":"disk on fire"}

import (
	"codemode"
	"errors"
	"tools"
)

func Run() (any, error) {
	_, err := tools.Fail(map[string]any{"message": "disk on fire"})
	var failed *codemode.Error
	if errors.As(err, &failed) {
		return map[string]any{"ok": false, "code": failed.Code, "text": failed.Text}, nil
	}
	return map[string]any{"ok": true}, nil
}
