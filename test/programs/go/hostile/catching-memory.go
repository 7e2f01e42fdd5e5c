// expect: memory

func Run() (result any) {
	defer func() { recover(); result = "went on" }()
	var kept [][]byte
	for {
		kept = append(kept, make([]byte, 1<<20))
	}
}
