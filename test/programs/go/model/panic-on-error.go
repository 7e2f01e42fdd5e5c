// expect-error: runtime: it broke

import "tools"

func Run() interface{} {
	v, err := tools.Fail(map[string]interface{}{})
	if err != nil {
		panic(err.Error())
	}
	return v
}
