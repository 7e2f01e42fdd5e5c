// expect: syntax

import "text/template"

func Run() (any, error) { return template.ParseFiles("/etc/passwd") }
