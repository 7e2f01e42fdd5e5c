// expect: memory

func Run() any {
	s := "x"
	for {
		s += s
	}
}
