// expect: timeout
// limits: {"allowThreads": true}

func Run() any {
	done := make(chan bool)
	go func() {
		for {
		}
	}()
	<-done
	return nil
}
