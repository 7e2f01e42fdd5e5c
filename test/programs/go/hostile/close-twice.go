// expect-error: runtime: close of closed channel

func Run() any {
	c := make(chan int)
	close(c)
	close(c)
	return 1
}
