// expect: memory
// limits: {"cpuMs": 8000, "wallMs": 20000}

import "strings"

func Run() any {
	m := map[int]string{}
	for i := 0; ; i++ {
		m[i] = strings.Repeat("x", 5000)
	}
}
