package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"reflect"
	"strings"

	"github.com/traefik/yaegi/interp"
)

// run is one execution of a script.
type run struct {
	request
	interp *interp.Interpreter
	files  *token.FileSet
	bridge *bridge
	// exit holds what log.Fatal said: the run ends with it even if the script recovers.
	exit *string
	// imports maps the names by which the script knows host namespaces to these.
	imports map[string]string
}

func newRun(asked request) *run {
	interp.ResetWatch()
	r := &run{request: asked, interp: spare, files: spare.FileSet(), bridge: newBridge(), imports: map[string]string{}}
	if r.Entry == "" {
		r.Entry = "Run"
	}
	if r.AllowThreads {
		r.bridge.concurrent++
	}
	active = r
	interp.OnPanic = func(pos token.Pos) {
		at := r.files.Position(pos)
		hostPanic(int32(at.Line), int32(at.Column))
	}
	return r
}

// execute runs the script and returns its value's JSON ("" for none), or how it failed.
func (r *run) execute() (value string, failed *failure) {
	file, failed := r.readSource()
	if failed != nil {
		return "", failed
	}
	program, failed := r.compile(file)
	if failed != nil {
		return "", failed
	}
	defer func() {
		if raised := recover(); raised != nil {
			value, failed = "", r.panicFailure(raised)
		}
		if r.exit != nil {
			value, failed = "", &failure{code: "runtime", message: *r.exit, pos: failedAt(failed)}
		}
	}()
	sendResult(resultStarted, "")
	if _, err := r.interp.Execute(program); err != nil {
		if raised, ok := err.(interp.Panic); ok {
			return "", r.panicFailure(raised)
		}
		return "", compileFailure(err)
	}
	entry := r.interp.Function(scriptPackage, r.Entry)
	if !entry.IsValid() {
		return "", &failure{code: "internal", message: "the entry function was lost"}
	}
	return r.callEntry(entry)
}

func failedAt(failed *failure) token.Position {
	if failed == nil {
		return token.Position{}
	}
	return failed.pos
}

// compile turns a panic of the interpreter's own into a `syntax` failure: it met Go it does not know.
func (r *run) compile(file *ast.File) (program *interp.Program, failed *failure) {
	defer func() {
		if raised := recover(); raised != nil {
			failed = r.unknownGo(file, fmt.Sprint(raised))
		}
	}()
	program, err := r.interp.CompileAST(file)
	if err != nil {
		return nil, compileFailure(err)
	}
	return program, nil
}

// unknownGo explains a panic of the interpreter while it compiles: nearly always an `any` used as if it had a type.
func (r *run) unknownGo(file *ast.File, said string) *failure {
	failed := compileFailure(errors.New(said))
	if strings.Contains(failed.message, "Elem of invalid type interface") {
		failed.message = "a value of type any cannot be indexed: assert its type first, as in `m := v.(map[string]any)` or `list := v.([]any)`"
		return failed
	}
	var ranges []*ast.RangeStmt
	ast.Inspect(file, func(n ast.Node) bool {
		if ranged, ok := n.(*ast.RangeStmt); ok {
			ranges = append(ranges, ranged)
		}
		return true
	})
	if said == "nil type" && len(ranges) > 0 {
		failed.message = "range over a value of type any: assert its type first, as in `for _, x := range v.([]any)`"
		if len(ranges) == 1 {
			failed.pos = r.files.Position(ranges[0].X.Pos())
		}
		return failed
	}
	failed.message = "the interpreter cannot compile this: " + failed.message
	return failed
}

// callEntry calls the entry function with the run's params and reads its results.
func (r *run) callEntry(entry reflect.Value) (string, *failure) {
	for entry.Kind() == reflect.Interface || entry.Kind() == reflect.Pointer {
		entry = entry.Elem()
	}
	if entry.Kind() != reflect.Func {
		return "", &failure{code: "entry_not_found", message: r.Entry + " is not a function"}
	}
	arguments, failed := r.arguments(entry.Type())
	if failed != nil {
		return "", failed
	}
	results := entry.Call(arguments)
	if last := len(results) - 1; last >= 0 && entry.Type().Out(last) == errorType {
		if err, _ := results[last].Interface().(error); err != nil {
			return "", errorFailure(err)
		}
		results = results[:last]
	}
	switch len(results) {
	case 0:
		return "", nil
	case 1:
		// `func Run() any { return err }`: an error told as the value is still the failure.
		if err, ok := returned(results[0]).(error); ok {
			return "", errorFailure(err)
		}
		return encodeResult(results[0])
	default:
		all := make([]any, len(results))
		for i, result := range results {
			all[i] = result.Interface()
		}
		return encodeResult(reflect.ValueOf(all))
	}
}

// returned is the plain value of a result, nil for what cannot be one or points nowhere.
func returned(result reflect.Value) any {
	v := inner(result)
	if !v.IsValid() || !v.CanInterface() || (v.Kind() == reflect.Pointer && v.IsNil()) {
		return nil
	}
	return v.Interface()
}

func encodeResult(value reflect.Value) (string, *failure) {
	if value.Kind() == reflect.Interface {
		value = value.Elem()
	}
	var plain any
	if value.IsValid() {
		plain = value.Interface()
	}
	text, err := encode(plain)
	if err != nil {
		return "", &failure{code: "runtime", message: "the returned value cannot be sent: " + err.Error()}
	}
	return string(text), nil
}
