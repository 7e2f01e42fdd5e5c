// expect-error: runtime: recursion is too deep

func a(n int) int { return b(n + 1) }

func b(n int) int { return a(n + 1) }

func Run() any { return a(0) }
