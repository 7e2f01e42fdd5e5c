// expect-error: runtime: deadlock
// limits: {"allowThreads": true}

func Run() any {
	select {}
}
