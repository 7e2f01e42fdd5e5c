package main

import (
	"reflect"
	"unsafe"
)

// inner looks through interfaces, the interpreter's own wrapping of interface values included.
func inner(v reflect.Value) reflect.Value {
	for v.IsValid() {
		switch {
		case v.Kind() == reflect.Interface:
			v = v.Elem()
		case v.Kind() == reflect.Struct && wrapsValue(v.Type()):
			v = wrapped(v)
		default:
			return v
		}
	}
	return v
}

// unwrap is inner for a plain value.
func unwrap(value any) any {
	v := inner(reflect.ValueOf(value))
	if !v.IsValid() || !v.CanInterface() {
		return value
	}
	return v.Interface()
}

func wrapsValue(t reflect.Type) bool {
	return t.Name() == "valueInterface" && t.PkgPath() == "github.com/traefik/yaegi/interp"
}

// wrapped reads the unexported value of such a wrapping.
func wrapped(v reflect.Value) reflect.Value {
	holder := reflect.New(v.Type()).Elem()
	holder.Set(v)
	field := holder.FieldByName("value")
	return *(*reflect.Value)(unsafe.Pointer(field.UnsafeAddr()))
}
