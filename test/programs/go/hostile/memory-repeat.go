// expect: memory

import "strings"

func Run() any { return len(strings.Repeat("abcdefgh", 1<<40)) }
