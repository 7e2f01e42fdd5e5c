// expect-error: syntax: no files

import "os/exec"

func Run() any { return exec.Command("ls") }
