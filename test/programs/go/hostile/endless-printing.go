// expect: timeout

import "fmt"

func Run() any {
	for {
		fmt.Println("again and again")
	}
}
