// expect-value: 12
// limits: {"allowThreads": true}

import (
	"sync"
	"tools"
)

func Run() (any, error) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	total := 0.0
	for _, n := range []int{1, 2, 3} {
		wg.Add(1)
		go func(n int) {
			defer wg.Done()
			v, err := tools.Add(map[string]any{"a": n, "b": n})
			if err != nil {
				return
			}
			mu.Lock()
			defer mu.Unlock()
			total += v.(float64)
		}(n)
	}
	wg.Wait()
	return total, nil
}
