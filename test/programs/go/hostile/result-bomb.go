// expect: output_too_large

import "strings"

func Run() any { return strings.Repeat("x", 1<<20) }
