// expect: timeout

func init() {
	for {
	}
}

func Run() any { return 1 }
