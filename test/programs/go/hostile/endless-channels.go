// expect: timeout
// limits: {"allowThreads": true}

func Run() any {
	a, b := make(chan int), make(chan int)
	go func() {
		for v := range a {
			b <- v
		}
	}()
	for {
		a <- 1
		<-b
	}
}
