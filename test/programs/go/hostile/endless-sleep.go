// expect: timeout
// limits: {"wallMs": 500}

import "time"

func Run() any {
	time.Sleep(time.Hour)
	return 1
}
