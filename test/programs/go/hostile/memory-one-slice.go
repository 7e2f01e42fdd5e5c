// expect: memory

func Run() any { return len(make([]int, 1<<28)) }
