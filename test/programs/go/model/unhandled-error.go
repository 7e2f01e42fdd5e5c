// expect-error: tool_failed: it broke

import "tools"

func Run() (any, error) {
	v, err := tools.Fail(nil)
	if err != nil {
		return nil, err
	}
	return v, nil
}
