// expect: memory

func Run() any {
	var kept [][]byte
	for {
		kept = append(kept, make([]byte, 1<<20))
	}
}
