// Package symbols tells the interpreter what the allowed standard packages hold: the build writes the rest of it.
package symbols

import (
	"log"
	"reflect"
)

// Symbols maps "import/path/name" to the package's members.
var Symbols = map[string]map[string]reflect.Value{}

// The extraction expects these where a symbol could end the process; the interpreter replaces them (interpreter.go).
var (
	logFatal   = log.Panic
	logFatalf  = log.Panicf
	logFatalln = log.Panicln
	logNew     = log.New
)

type logLogger = log.Logger
