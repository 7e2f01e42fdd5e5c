// expect-error: runtime: deadlock
// limits: {"allowThreads": true}

func Run() any {
	c := make(chan int)
	c <- 1
	return nil
}
