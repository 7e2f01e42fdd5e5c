// expect: syntax

import "syscall"

func Run() any { return syscall.Getpid() }
