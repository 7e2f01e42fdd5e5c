package main

import (
	"encoding/json"
	"fmt"
	"reflect"
)

// consolePackage is `console`: what JavaScript has under this name, in Go's spelling.
func consolePackage() map[string]reflect.Value {
	members := map[string]reflect.Value{}
	for _, name := range []string{"Log", "Warn", "Error", "Info", "Debug"} {
		members[name] = reflect.ValueOf(func(values ...any) {
			texts := make([]any, len(values))
			for i, value := range values {
				texts[i] = shown(value)
			}
			fmt.Fprintln(logWriter{}, texts...)
		})
	}
	return members
}

// shown prints composite values as JSON, as readers of a log expect; the rest as fmt does.
func shown(value any) any {
	v := inner(reflect.ValueOf(value))
	if !v.IsValid() {
		return "null"
	}
	switch v.Interface().(type) {
	case error, fmt.Stringer, json.Marshaler:
		return v.Interface()
	}
	switch v.Kind() {
	case reflect.Map, reflect.Slice, reflect.Array, reflect.Struct, reflect.Pointer:
		if text, err := encode(v.Interface()); err == nil {
			return string(text)
		}
	}
	return v.Interface()
}
