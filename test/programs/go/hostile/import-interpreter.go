// expect: syntax

import "github.com/traefik/yaegi/interp"

func Run() any { return interp.New(interp.Options{}) }
