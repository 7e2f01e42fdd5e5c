// expect-error: entry_not_found: it defines main

package main

import "fmt"

func main() {
	fmt.Println("hello")
}
