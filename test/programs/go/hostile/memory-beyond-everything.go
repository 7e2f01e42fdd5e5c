// expect: memory

func Run() any {
	n := 1 << 50
	return len(make([]int, n))
}
