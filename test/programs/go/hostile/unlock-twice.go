// expect-error: runtime: unlock of unlocked mutex

import "sync"

func Run() any {
	var mu sync.Mutex
	mu.Unlock()
	return 1
}
