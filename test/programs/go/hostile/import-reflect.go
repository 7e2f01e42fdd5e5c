// expect: syntax

import "reflect"

func Run() any { return reflect.ValueOf(1).String() }
