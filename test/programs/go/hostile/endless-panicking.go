// expect: timeout

func Run() any {
	for {
		func() {
			defer func() { recover() }()
			panic("again")
		}()
	}
}
