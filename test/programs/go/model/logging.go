// expect-value: null
// expect-log: start 2
// expect-log: half a line
// expect-log: warned {"a":1}
// expect-log: logged

import (
	"console"
	"fmt"
	"log"
)

func Run() any {
	console.Log("start", 2)
	fmt.Print("half ")
	fmt.Println("a line")
	console.Warn("warned", map[string]any{"a": 1})
	log.Println("logged")
	return nil
}
