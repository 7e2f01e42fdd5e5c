// expect-error: runtime: regexp

import "regexp"

func Run() any { return regexp.MustCompile("((a{100}){100}){100}").String() }
