package main

import (
	"slices"
	"strings"
)

// allowed lists the standard packages a script may import: none reaches files, network, processes, memory or the
// runtime. The build extracts exactly these (packages.txt); slices, maps and cmp are interpreted.
var allowed = map[string]bool{"slices": true, "maps": true, "cmp": true}

// forbidden lists names of standard packages models reach for, to refuse them with advice.
var forbidden = map[string]bool{}

func init() {
	for name := range strings.FieldsSeq(allowedList) {
		allowed[name] = true
	}
	for name := range strings.FieldsSeq(`os exec user signal net http httptest httputil netip rpc smtp textproto mail
		syscall unsafe runtime debug plugin reflect ioutil fs embed filepath testing atomic trace pprof metrics build
		parser token types importer tls x509 sql driver cgo C slog flag expvar ast`) {
		forbidden[name] = true
	}
}

func refusal(importPath string) string {
	names := make([]string, 0, len(allowed))
	for name := range allowed {
		names = append(names, name)
	}
	slices.Sort(names)
	return `package "` + importPath + `" is not available: the sandbox has no files, network, processes or modules; ` +
		"use the host functions. Available packages: " + strings.Join(names, ", ")
}
