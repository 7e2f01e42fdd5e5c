// expect: syntax

import "C"

func Run() any { return C.getpid() }
