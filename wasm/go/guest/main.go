// Command codemode is the Go interpreter that runs inside the sandbox's WebAssembly module.
package main

import (
	"encoding/json"
	"go/token"
	"runtime"
	"runtime/debug"
	"strings"
	"unicode/utf16"
	"unsafe"

	"github.com/traefik/yaegi/interp"
)

// request is one run as the host describes it.
type request struct {
	Code         string          `json:"code"`
	Entry        string          `json:"entry"`
	Params       json.RawMessage `json:"params"`
	Functions    []hostFunction  `json:"functions"`
	AllowThreads bool            `json:"allowThreads"`
	// MemoryBytes is all the memory the guest may use, the interpreter included.
	MemoryBytes int64 `json:"memoryBytes"`
}

// hostFunction is one callable name: functions of one namespace become one package.
type hostFunction struct {
	Index     int32  `json:"index"`
	Namespace string `json:"namespace"`
	Camel     string `json:"camel"`
}

var (
	input  []byte
	spare  *interp.Interpreter
	active *run
)

// prepare brings the guest into the state every run starts from: the interpreter built, its lazy parts used once.
//
//go:wasmexport prepare
func prepare() {
	debug.SetTraceback("none")
	spare = newInterpreter()
	if _, err := newRun(warmUp).execute(); err != nil {
		panic("warm-up failed: " + err.message)
	}
	spare = newInterpreter()
	active = nil
	reserveHeadroom()
	runtime.GC()
	debug.FreeOSMemory()
}

// reserveHeadroom grows the memory once before the snapshot, so that a usual run need not grow it.
func reserveHeadroom() {
	const headroom = 2 << 20
	block := make([]byte, headroom)
	runtime.KeepAlive(block)
}

// reserve gives the host a place to write the request to.
//
//go:wasmexport reserve
func reserve(size int32) unsafe.Pointer {
	input = make([]byte, size)
	return unsafe.Pointer(unsafe.SliceData(input))
}

// execute runs the request and hands its result to the host.
//
//go:wasmexport run
func execute() {
	freshRandomness()
	var asked request
	if err := json.Unmarshal(input, &asked); err != nil {
		panic(err)
	}
	input = nil
	if asked.MemoryBytes > 0 {
		debug.SetMemoryLimit(asked.MemoryBytes)
	}
	value, failed := newRun(asked).execute()
	flushLog()
	switch {
	case failed != nil:
		text, err := json.Marshal(map[string]any{
			"code": failed.code, "message": failed.message, "line": failed.pos.Line, "column": column(asked.Code, failed.pos),
		})
		if err != nil {
			panic(err)
		}
		value = string(text)
		sendResult(resultFailed, value)
	case value == "":
		sendResult(resultEmpty, "")
	default:
		sendResult(resultValue, value)
	}
}

// column counts a place's column in UTF-16 units, as the host's strings do; Go counts bytes.
func column(code string, pos token.Position) int {
	lines := strings.Split(code, "\n")
	if pos.Line < 1 || pos.Line > len(lines) || pos.Column < 1 {
		return pos.Column
	}
	before := lines[pos.Line-1]
	return len(utf16.Encode([]rune(before[:min(len(before), pos.Column-1)]))) + 1
}

func main() {}
