// expect-error: runtime: recursion is too deep

func down(n int) int {
	return down(n+1) + 1
}

func Run() any { return down(0) }
