// expect: syntax

import "unsafe"

func Run() any {
	x := 1
	return *(*string)(unsafe.Pointer(&x))
}
