// expect: timeout

import "sort"

func Run() any {
	xs := []int{3, 1, 2}
	sort.Slice(xs, func(i, j int) bool {
		for {
		}
	})
	return xs
}
