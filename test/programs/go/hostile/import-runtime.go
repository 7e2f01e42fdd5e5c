// expect: syntax

import "runtime"

func Run() any {
	runtime.Goexit()
	return 1
}
