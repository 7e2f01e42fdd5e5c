package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
)

var (
	errorType   = reflect.TypeFor[error]()
	anyType     = reflect.TypeFor[any]()
	mapType     = reflect.TypeFor[map[string]any]()
	contextType = reflect.TypeFor[context.Context]()
)

// arguments makes the entry's arguments from the run's params: none, one of any type JSON can fill, and a
// context.Context before it if asked for.
func (r *run) arguments(entry reflect.Type) ([]reflect.Value, *failure) {
	var made []reflect.Value
	rest := entry.NumIn()
	if rest > 0 && entry.In(0) == contextType {
		made = append(made, reflect.ValueOf(context.Background()))
		rest--
	}
	if rest > 1 {
		return nil, &failure{code: "runtime", message: fmt.Sprintf(
			"%s takes %d arguments, but is called with one: declare func %s(p map[string]any) (any, error)", r.Entry, rest, r.Entry)}
	}
	if rest == 0 || entry.IsVariadic() {
		return made, nil
	}
	kind := entry.In(entry.NumIn() - 1)
	argument := reflect.New(kind)
	params := bytes.TrimSpace(r.Params)
	if len(params) == 0 || string(params) == "null" {
		params = []byte("null")
		if kind.Kind() == reflect.Map || kind.Kind() == reflect.Interface {
			params = []byte("{}")
		}
	}
	if kind == anyType || kind == mapType {
		if value, err := decode(string(params)); err == nil && value != nil && reflect.TypeOf(value).AssignableTo(kind) {
			return append(made, reflect.ValueOf(value)), nil
		}
	}
	if err := json.Unmarshal(params, argument.Interface()); err != nil {
		return nil, &failure{code: "runtime", message: fmt.Sprintf("params do not fit %s's argument: %v", r.Entry, err)}
	}
	return append(made, argument.Elem()), nil
}
