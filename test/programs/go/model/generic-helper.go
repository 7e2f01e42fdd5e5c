// expect-value: ["1!","3!"]

import "fmt"

func Filter[T any](xs []T, keep func(T) bool) []T {
	var out []T
	for _, x := range xs {
		if keep(x) {
			out = append(out, x)
		}
	}
	return out
}

func Map[T, U any](xs []T, f func(T) U) []U {
	out := make([]U, 0, len(xs))
	for _, x := range xs {
		out = append(out, f(x))
	}
	return out
}

func Run() any {
	odd := Filter([]int{1, 2, 3}, func(n int) bool { return n%2 == 1 })
	return Map(odd, func(n int) string { return fmt.Sprintf("%d!", n) })
}
