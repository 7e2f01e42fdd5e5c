package main

import (
	"encoding/json"
	"strconv"
	"strings"
)

// decode reads the host's JSON into what encoding/json would make of it (map[string]any, []any, float64, …), several
// times faster; texts without escapes share the memory of the whole.
func decode(text string) (any, error) {
	d := decoder{text: text}
	value, ok := d.value(0)
	d.space()
	if ok && d.at == len(text) {
		return value, nil
	}
	// Whatever is unusual is the library's to judge.
	var slow any
	err := json.Unmarshal([]byte(text), &slow)
	return slow, err
}

type decoder struct {
	text string
	at   int
}

// maxDecodeDepth is where encoding/json gives up too, nearly.
const maxDecodeDepth = 9000

func (d *decoder) space() {
	for d.at < len(d.text) {
		switch d.text[d.at] {
		case ' ', '\t', '\n', '\r':
			d.at++
		default:
			return
		}
	}
}

func (d *decoder) value(depth int) (any, bool) {
	d.space()
	if d.at >= len(d.text) || depth > maxDecodeDepth {
		return nil, false
	}
	switch c := d.text[d.at]; {
	case c == '{':
		return d.object(depth)
	case c == '[':
		return d.list(depth)
	case c == '"':
		return d.string()
	case c == '-' || c >= '0' && c <= '9':
		return d.number()
	default:
		return d.word()
	}
}

func (d *decoder) word() (any, bool) {
	rest := d.text[d.at:]
	switch {
	case strings.HasPrefix(rest, "null"):
		d.at += len("null")
		return nil, true
	case strings.HasPrefix(rest, "true"):
		d.at += len("true")
		return true, true
	case strings.HasPrefix(rest, "false"):
		d.at += len("false")
		return false, true
	default:
		return nil, false
	}
}

func (d *decoder) number() (any, bool) {
	start := d.at
	for d.at < len(d.text) && strings.IndexByte("+-0123456789.eE", d.text[d.at]) >= 0 {
		d.at++
	}
	number, err := strconv.ParseFloat(d.text[start:d.at], 64)
	return number, err == nil
}

func (d *decoder) string() (string, bool) {
	start := d.at + 1
	for at := start; at < len(d.text); at++ {
		switch c := d.text[at]; {
		case c == '"':
			d.at = at + 1
			return d.text[start:at], true
		case c == '\\':
			return d.escaped(start - 1)
		case c < ' ':
			return "", false
		}
	}
	return "", false
}

func (d *decoder) escaped(start int) (string, bool) {
	for at := start + 1; at < len(d.text); at++ {
		switch d.text[at] {
		case '\\':
			at++
		case '"':
			d.at = at + 1
			var value string
			err := json.Unmarshal([]byte(d.text[start:d.at]), &value)
			return value, err == nil
		}
	}
	return "", false
}

func (d *decoder) list(depth int) (any, bool) {
	d.at++
	list := []any{}
	for {
		if d.space(); len(list) == 0 && d.next(']') {
			return list, true
		}
		value, ok := d.value(depth + 1)
		if !ok {
			return nil, false
		}
		list = append(list, value)
		if d.space(); d.next(']') {
			return list, true
		}
		if !d.next(',') {
			return nil, false
		}
	}
}

func (d *decoder) object(depth int) (any, bool) {
	d.at++
	object := map[string]any{}
	for {
		if d.space(); len(object) == 0 && d.next('}') {
			return object, true
		}
		if d.at >= len(d.text) || d.text[d.at] != '"' {
			return nil, false
		}
		name, ok := d.string()
		if d.space(); !ok || !d.next(':') {
			return nil, false
		}
		value, ok := d.value(depth + 1)
		if !ok {
			return nil, false
		}
		object[name] = value
		if d.space(); d.next('}') {
			return object, true
		}
		if !d.next(',') {
			return nil, false
		}
	}
}

// next takes one character if it comes next.
func (d *decoder) next(c byte) bool {
	if d.at < len(d.text) && d.text[d.at] == c {
		d.at++
		return true
	}
	return false
}
