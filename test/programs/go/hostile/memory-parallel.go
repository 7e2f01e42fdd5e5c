// expect: memory

func Run() (any, error) {
	hog := func() (any, error) {
		var kept [][]byte
		for {
			kept = append(kept, make([]byte, 1<<20))
		}
	}
	return codemode.Parallel(hog, hog)
}
