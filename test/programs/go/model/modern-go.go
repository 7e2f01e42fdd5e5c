// expect-value: {"biggest":9,"keys":["a","b","c"],"squares":[0,1,4]}

import (
	"maps"
	"slices"
)

func Run() any {
	m := map[string]int{"c": 1, "a": 9, "b": 4}
	var squares []int
	for i := range 3 {
		squares = append(squares, i*i)
	}
	biggest := 0
	for v := range maps.Values(m) {
		biggest = max(biggest, v)
	}
	return map[string]any{"keys": slices.Sorted(maps.Keys(m)), "squares": squares, "biggest": biggest}
}
