// expect: syntax

import "host/os"

func Run() (any, error) { return os.ReadFile() }
