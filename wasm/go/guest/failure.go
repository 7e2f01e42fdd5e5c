package main

import (
	"errors"
	"fmt"
	"go/scanner"
	"go/token"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"github.com/traefik/yaegi/interp"
)

// failure is an error of the user's script with the place it comes from.
type failure struct {
	code    string
	message string
	pos     token.Position
}

func (f *failure) Error() string { return f.message }

// CallError is what a host function returns as its error.
type CallError struct {
	// Code is one of the closed list of error codes, `tool_failed` for instance.
	Code string
	// Tool is the function's name as the server calls it.
	Tool string
	// Text is what the tool or the gateway said.
	Text string
}

func (e *CallError) Error() string { return e.Text }

var positioned = regexp.MustCompile(`^(?:[\w./]+:)?(\d+):(\d+): `)

// compileFailure turns what parser and interpreter report into a `syntax` failure.
func compileFailure(err error) *failure {
	var known *failure
	if errors.As(err, &known) {
		return known
	}
	var list scanner.ErrorList
	if errors.As(err, &list) && len(list) > 0 {
		return &failure{code: "syntax", message: list[0].Msg, pos: list[0].Pos}
	}
	message := err.Error()
	var pos token.Position
	for {
		at := positioned.FindStringSubmatch(message)
		if at == nil {
			break
		}
		pos.Line, _ = strconv.Atoi(at[1])
		pos.Column, _ = strconv.Atoi(at[2])
		message = message[len(at[0]):]
	}
	return &failure{code: "syntax", message: message, pos: pos}
}

// panicFailure turns a panic of the user's code into a failure, placed where it was raised.
func (r *run) panicFailure(value any) *failure {
	if panicked, ok := value.(interp.Panic); ok {
		value = panicked.Value
	}
	if held, ok := value.(reflect.Value); ok && held.IsValid() && held.CanInterface() {
		value = held.Interface()
	}
	value = unwrap(value)
	pos := r.files.Position(interp.PanicPosition())
	code, message := "runtime", ""
	switch known := value.(type) {
	case *failure:
		return known
	case error:
		var call *CallError
		if errors.As(known, &call) {
			code = call.Code
		}
		message = known.Error()
	case fmt.Stringer:
		message = known.String()
	default:
		message = fmt.Sprint(unwrap(value))
	}
	if at := positioned.FindStringSubmatch(message); at != nil {
		message = message[len(at[0]):]
		if !pos.IsValid() {
			pos.Line, _ = strconv.Atoi(at[1])
			pos.Column, _ = strconv.Atoi(at[2])
		}
	}
	for _, known := range knownPanics {
		if strings.Contains(message, known.said) {
			return &failure{code: known.code, message: known.message, pos: pos}
		}
	}
	return &failure{code: code, message: message, pos: pos}
}

// knownPanics are what the interpreter says in its own words, and how Go says it.
var knownPanics = []struct{ said, code, message string }{
	{"allocation size out of range", "memory", "the script asked for more memory than there can be"},
	{"makeslice: len out of range", "memory", "the script asked for more memory than there can be"},
	{"makeslice: cap out of range", "memory", "the script asked for more memory than there can be"},
	{"growslice: len out of range", "memory", "the script asked for more memory than there can be"},
	{"strings: Repeat output length overflow", "memory", "the script asked for more memory than there can be"},
	{"reflect: slice index out of range", "runtime", "index out of range"},
	{"reflect: array index out of range", "runtime", "index out of range"},
	{"reflect: string index out of range", "runtime", "index out of range"},
	{"reflect: call of reflect.Value.Field on zero Value", "runtime", "nil pointer dereference"},
	{"reflect: call of reflect.Value.Elem on zero Value", "runtime", "nil pointer dereference"},
	{"reflect: call of reflect.Value.Call on zero Value", "runtime", "call of a nil function"},
	{"reflect: call of reflect.Value.Set on zero Value", "runtime", "nil pointer dereference"},
	{"reflect.Value.Call: call of nil function", "runtime", "call of a nil function"},
	{"invalid memory address or nil pointer dereference", "runtime", "nil pointer dereference"},
}

// errorFailure is a run that ended by returning an error.
func errorFailure(err error) *failure {
	var call *CallError
	if errors.As(err, &call) {
		return &failure{code: call.Code, message: err.Error()}
	}
	return &failure{code: "runtime", message: err.Error()}
}
