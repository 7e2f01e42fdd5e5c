// expect: timeout
// limits: {"wallMs": 700}

import "time"

func Run() any {
	for {
		time.Sleep(time.Millisecond)
	}
}
