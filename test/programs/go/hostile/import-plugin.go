// expect: syntax

import "plugin"

func Run() (any, error) { return plugin.Open("x.so") }
