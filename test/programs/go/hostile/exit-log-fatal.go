// expect-error: runtime: log.Fatal: enough

import "log"

func Run() (result any) {
	defer func() { recover(); result = "went on" }()
	log.Fatal("enough")
	return nil
}
