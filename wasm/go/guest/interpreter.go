package main

import (
	_ "embed"
	"fmt"
	"io"
	"io/fs"
	"log"
	"os"
	"reflect"
	"regexp"
	"strings"

	"codemode/symbols"

	"github.com/traefik/yaegi/interp"
	"github.com/traefik/yaegi/stdlib/generic"
)

//go:embed packages.txt
var allowedList string

//go:embed generics.go.txt
var generics string

// newInterpreter builds an interpreter that knows the allowed packages and nothing else.
func newInterpreter() *interp.Interpreter {
	made := interp.New(interp.Options{
		Stdin: strings.NewReader(""), Stdout: logWriter{}, Stderr: io.Discard, Args: []string{}, Env: []string{},
		SourcecodeFilesystem: noFiles{},
	})
	exports := interp.Exports{}
	for key, members := range symbols.Symbols {
		exports[key] = members
	}
	delete(exports, "fmt/fmt")
	must(made.Use(exports))
	// Written so, the key does not make Use load the generic packages: they are chosen below.
	must(made.Use(interp.Exports{"fmt//fmt": printing(symbols.Symbols["fmt/fmt"])}))
	must(made.Use(interp.Exports{"log/log": logging()}))
	for _, source := range append(generic.Sources[:], strings.Split(generics, "\n// ----\n")...) {
		// They clear what they cut off, for the collector's sake only, by a function the interpreter lacks.
		source = clearing.ReplaceAllString(source, "")
		if _, err := made.Eval(source); err != nil {
			panic(err)
		}
	}
	return made
}

var clearing = regexp.MustCompile(`(?m)^\tclear\(.*$`)

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// noFiles is where the interpreter looks for source packages: there are none.
type noFiles struct{}

func (noFiles) Open(string) (fs.File, error) { return nil, os.ErrNotExist }

// printing makes fmt print into the run's log.
func printing(members map[string]reflect.Value) map[string]reflect.Value {
	out := logWriter{}
	changed := map[string]reflect.Value{}
	for name, member := range members {
		changed[name] = member
	}
	changed["Print"] = reflect.ValueOf(func(a ...any) (int, error) { return fmt.Fprint(out, a...) })
	changed["Printf"] = reflect.ValueOf(func(format string, a ...any) (int, error) { return fmt.Fprintf(out, format, a...) })
	changed["Println"] = reflect.ValueOf(func(a ...any) (int, error) { return fmt.Fprintln(out, a...) })
	return changed
}

// logging makes log print into the run's log, without times, and Fatal end the run.
func logging() map[string]reflect.Value {
	logger := log.New(logWriter{}, "", 0)
	end := func(text string) {
		text = strings.TrimSuffix(text, "\n")
		logger.Print(text)
		text = "log.Fatal: " + text
		active.exit = &text
		panic(text)
	}
	return map[string]reflect.Value{
		"Default":   reflect.ValueOf(func() *log.Logger { return logger }),
		"Fatal":     reflect.ValueOf(func(a ...any) { end(fmt.Sprint(a...)) }),
		"Fatalf":    reflect.ValueOf(func(format string, a ...any) { end(fmt.Sprintf(format, a...)) }),
		"Fatalln":   reflect.ValueOf(func(a ...any) { end(fmt.Sprintln(a...)) }),
		"Flags":     reflect.ValueOf(logger.Flags),
		"Output":    reflect.ValueOf(logger.Output),
		"Panic":     reflect.ValueOf(logger.Panic),
		"Panicf":    reflect.ValueOf(logger.Panicf),
		"Panicln":   reflect.ValueOf(logger.Panicln),
		"Prefix":    reflect.ValueOf(logger.Prefix),
		"Print":     reflect.ValueOf(logger.Print),
		"Printf":    reflect.ValueOf(logger.Printf),
		"Println":   reflect.ValueOf(logger.Println),
		"SetFlags":  reflect.ValueOf(logger.SetFlags),
		"SetOutput": reflect.ValueOf(logger.SetOutput),
		"SetPrefix": reflect.ValueOf(logger.SetPrefix),
		"Writer":    reflect.ValueOf(logger.Writer),
	}
}
