// expect: timeout

import "fmt"

type loop struct{}

func (loop) Error() string {
	for {
	}
}

func Run() (any, error) {
	fmt.Println("before")
	return nil, loop{}
}
