// expect: runtime

import "log"

func Run() any {
	log.Default().Fatalln("enough")
	return nil
}
