// expect: memory
// limits: {"allowThreads": true, "cpuMs": 8000, "wallMs": 20000}

func Run() any {
	block := make(chan int)
	for {
		go func() { <-block }()
		if len(block) > 0 {
			return nil
		}
	}
}
