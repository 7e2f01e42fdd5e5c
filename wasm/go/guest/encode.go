package main

import (
	"bytes"
	"encoding"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unsafe"
)

// maxNesting bounds how deep a value may nest: deeper is a cycle or no use to anybody.
const maxNesting = 1000

// encode writes a value as JSON: as encoding/json does, but NaN and infinities become null, errors their text,
// and a cycle is an error that says so.
func encode(value any) ([]byte, error) {
	var out bytes.Buffer
	e := encoder{out: &out}
	if err := e.writeAny(value, 0); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

type encoder struct {
	out  *bytes.Buffer
	path []unsafe.Pointer
}

var jsonMarshaler = reflect.TypeFor[json.Marshaler]()
var numberType = reflect.TypeFor[json.Number]()
var textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()

// writeAny is write for what values are nearly always made of, without the cost of reflection.
func (e *encoder) writeAny(value any, depth int) error {
	switch known := value.(type) {
	case nil:
		e.out.WriteString("null")
	case string:
		e.writeString(known)
	case bool:
		e.out.WriteString(strconv.FormatBool(known))
	case int:
		e.out.Write(strconv.AppendInt(e.out.AvailableBuffer(), int64(known), 10))
	case map[string]any:
		// What nests is watched for cycles by the general way; a flat map is written here.
		names := make([]string, 0, len(known))
		for name, value := range known {
			switch value.(type) {
			case nil, string, bool, int, float64:
				names = append(names, name)
			default:
				return e.write(reflect.ValueOf(known), depth)
			}
		}
		slices.Sort(names)
		e.out.WriteByte('{')
		for i, name := range names {
			if i > 0 {
				e.out.WriteByte(',')
			}
			e.writeString(name)
			e.out.WriteByte(':')
			if err := e.writeAny(known[name], depth+1); err != nil {
				return err
			}
		}
		e.out.WriteByte('}')
	default:
		return e.write(reflect.ValueOf(value), depth)
	}
	return nil
}

func (e *encoder) write(v reflect.Value, depth int) error {
	if depth > maxNesting {
		return fmt.Errorf("it nests deeper than %d levels", maxNesting)
	}
	if !v.IsValid() {
		e.out.WriteString("null")
		return nil
	}
	v = inner(v)
	if !v.IsValid() {
		e.out.WriteString("null")
		return nil
	}
	if done, err := e.writeByMethod(v); done {
		return err
	}
	switch v.Kind() {
	case reflect.Bool:
		e.out.WriteString(strconv.FormatBool(v.Bool()))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		e.out.Write(strconv.AppendInt(e.out.AvailableBuffer(), v.Int(), 10))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		e.out.Write(strconv.AppendUint(e.out.AvailableBuffer(), v.Uint(), 10))
	case reflect.Float32, reflect.Float64:
		return e.writeFloat(v)
	case reflect.String:
		if v.Type() == numberType && json.Valid([]byte(v.String())) {
			e.out.WriteString(v.String())
			break
		}
		e.writeString(v.String())
	case reflect.Map, reflect.Slice, reflect.Pointer:
		return e.writeReference(v, depth)
	case reflect.Array:
		return e.writeList(v, depth)
	case reflect.Struct:
		return e.writeStruct(v, depth)
	default:
		return fmt.Errorf("a %s has no JSON form", v.Kind())
	}
	return nil
}

func (e *encoder) writeFloat(v reflect.Value) error {
	number := v.Float()
	if math.IsNaN(number) || math.IsInf(number, 0) {
		e.out.WriteString("null")
		return nil
	}
	text, err := json.Marshal(v.Interface())
	e.out.Write(text)
	return err
}

func (e *encoder) writeString(text string) {
	if plainText(text) {
		e.out.WriteByte('"')
		e.out.WriteString(text)
		e.out.WriteByte('"')
		return
	}
	coder := json.NewEncoder(e.out)
	coder.SetEscapeHTML(false)
	_ = coder.Encode(text)
	e.out.Truncate(e.out.Len() - 1)
}

// plainText tells whether a text needs no escaping.
func plainText(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

// writeByMethod lets a value write itself where it can: times, big numbers, raw JSON, errors.
func (e *encoder) writeByMethod(v reflect.Value) (done bool, err error) {
	// Types without a name have no methods: most of what scripts make.
	if !v.CanInterface() || (v.Kind() == reflect.Pointer && v.IsNil()) || (v.Kind() != reflect.Pointer && v.Kind() != reflect.Struct && v.Type().PkgPath() == "") {
		return false, nil
	}
	if v.Type().Implements(jsonMarshaler) || v.Type().Implements(textMarshaler) {
		text, err := json.Marshal(v.Interface())
		e.out.Write(text)
		return true, err
	}
	if failure, ok := v.Interface().(error); ok {
		e.writeString(failure.Error())
		return true, nil
	}
	return false, nil
}

// writeReference guards what can point back at itself.
func (e *encoder) writeReference(v reflect.Value, depth int) error {
	if v.IsNil() {
		e.out.WriteString("null")
		return nil
	}
	at := v.UnsafePointer()
	if v.Kind() != reflect.Slice || v.Len() > 0 {
		if slices.Contains(e.path, at) && depth > 64 {
			return errors.New("it contains itself (a cycle)")
		}
		e.path = append(e.path, at)
		defer func() { e.path = e.path[:len(e.path)-1] }()
	}
	switch v.Kind() {
	case reflect.Pointer:
		return e.write(v.Elem(), depth+1)
	case reflect.Map:
		return e.writeMap(v, depth)
	default:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			e.writeString(base64.StdEncoding.EncodeToString(v.Bytes()))
			return nil
		}
		return e.writeList(v, depth)
	}
}

func (e *encoder) writeList(v reflect.Value, depth int) error {
	e.out.WriteByte('[')
	for i := range v.Len() {
		if i > 0 {
			e.out.WriteByte(',')
		}
		if err := e.write(v.Index(i), depth+1); err != nil {
			return err
		}
	}
	e.out.WriteByte(']')
	return nil
}

func (e *encoder) writeMap(v reflect.Value, depth int) error {
	type entry struct {
		name  string
		value reflect.Value
	}
	entries := make([]entry, 0, v.Len())
	for pairs := v.MapRange(); pairs.Next(); {
		key := inner(pairs.Key())
		name := "null"
		if key.Kind() == reflect.String {
			name = key.String()
		} else if key.IsValid() {
			name = fmt.Sprint(key.Interface())
			if marshaler, ok := key.Interface().(encoding.TextMarshaler); ok {
				text, err := marshaler.MarshalText()
				if err != nil {
					return err
				}
				name = string(text)
			}
		}
		entries = append(entries, entry{name, pairs.Value()})
	}
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	e.out.WriteByte('{')
	for i, own := range entries {
		if i > 0 {
			e.out.WriteByte(',')
		}
		e.writeString(own.name)
		e.out.WriteByte(':')
		if err := e.write(own.value, depth+1); err != nil {
			return err
		}
	}
	e.out.WriteByte('}')
	return nil
}

func (e *encoder) writeStruct(v reflect.Value, depth int) error {
	e.out.WriteByte('{')
	first := true
	if err := e.writeFields(v, depth, &first); err != nil {
		return err
	}
	e.out.WriteByte('}')
	return nil
}

func (e *encoder) writeFields(v reflect.Value, depth int, first *bool) error {
	kind := v.Type()
	for i := range kind.NumField() {
		field := kind.Field(i)
		tag, tagged := field.Tag.Lookup("json")
		if tag == "-" || !field.IsExported() || (!tagged && scriptPrivate(field.Name)) {
			continue
		}
		name, options, _ := strings.Cut(tag, ",")
		value := v.Field(i)
		if field.Anonymous && name == "" {
			embedded := inner(value)
			if embedded.IsValid() && embedded.Kind() == reflect.Pointer && !embedded.IsNil() {
				embedded = embedded.Elem()
			}
			if embedded.IsValid() && embedded.Kind() == reflect.Struct {
				if err := e.writeFields(embedded, depth+1, first); err != nil {
					return err
				}
				continue
			}
		}
		if strings.Contains(options, "omitempty") && empty(value) || strings.Contains(options, "omitzero") && value.IsZero() {
			continue
		}
		if name == "" {
			name = field.Name
		}
		if !*first {
			e.out.WriteByte(',')
		}
		*first = false
		e.writeString(name)
		e.out.WriteByte(':')
		if err := e.write(value, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// scriptPrivate recognises an unexported field of a script's struct: the interpreter puts an X before its name.
func scriptPrivate(name string) bool {
	return len(name) > 1 && name[0] == 'X' && (unicode.IsLower(rune(name[1])) || name[1] == '_')
}

func empty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		return v.Len() == 0
	case reflect.Struct:
		return false
	default:
		return v.IsZero()
	}
}
