// expect: timeout

var n = spin()

func spin() int {
	for {
	}
}

func Run() any { return n }
