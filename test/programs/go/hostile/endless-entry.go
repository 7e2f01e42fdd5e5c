// expect: timeout

func Run() any {
	for {
	}
}
