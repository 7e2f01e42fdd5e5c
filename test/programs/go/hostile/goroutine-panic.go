// expect-error: runtime: panic in a goroutine: gone
// limits: {"allowThreads": true}

func Run() any {
	done := make(chan int)
	go func() {
		panic("gone")
	}()
	<-done
	return nil
}
