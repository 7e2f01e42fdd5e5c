package main

import (
	"bytes"
	"unsafe"
)

// The guest's only doors: numbers and UTF-8 text, nothing else (the Bridge of wasm/guest.ts).

// hostStart starts a call of the function with this index and returns its id; it never blocks.
//
//go:wasmimport codemode start
func hostStart(index int32, args unsafe.Pointer, size int32) int32

// hostWait blocks until a call not yet delivered has settled and returns its id.
//
//go:wasmimport codemode wait
func hostWait() int32

// hostOk tells whether the call last returned by hostWait succeeded.
//
//go:wasmimport codemode ok
func hostOk() int32

// hostSize is the size in bytes of the last settled call's text.
//
//go:wasmimport codemode size
func hostSize() int32

// hostTake copies that text into the guest.
//
//go:wasmimport codemode take
func hostTake(to unsafe.Pointer)

//go:wasmimport codemode log
func hostLog(text unsafe.Pointer, size int32)

// hostResult hands over how the run ended: its value's JSON, or a failure's.
//
//go:wasmimport codemode result
func hostResult(kind int32, text unsafe.Pointer, size int32)

const (
	resultFailed = 0
	resultValue  = 1
	resultEmpty  = 2
	// resultStarted is sent when the script is compiled and its own code begins.
	resultStarted = 3
)

func sendResult(kind int32, text string) {
	at, size := bytesOf(text)
	hostResult(kind, at, size)
}

//go:wasmimport wasi_snapshot_preview1 random_get
func randomGet(to unsafe.Pointer, size int32) int32

func bytesOf(text string) (unsafe.Pointer, int32) {
	return unsafe.Pointer(unsafe.StringData(text)), int32(len(text))
}

// logWriter sends what a script prints to the host, line by line and at once, so that it survives a kill.
type logWriter struct{}

// halfLine is what was printed of a line whose end has not come yet.
var halfLine []byte

// maxHalfLine bounds it, bytes: a longer line is sent in pieces.
const maxHalfLine = 4096

func (logWriter) Write(text []byte) (int, error) {
	if end := bytes.LastIndexByte(text, '\n'); end >= 0 {
		whole := append(halfLine, text[:end]...)
		hostLog(unsafe.Pointer(unsafe.SliceData(whole)), int32(len(whole)))
		halfLine = append(halfLine[:0], text[end+1:]...)
	} else {
		halfLine = append(halfLine, text...)
	}
	if len(halfLine) > maxHalfLine {
		flushLog()
	}
	return len(text), nil
}

// flushLog sends the line under way: where it may be long until its end comes.
func flushLog() {
	if len(halfLine) > 0 {
		hostLog(unsafe.Pointer(unsafe.SliceData(halfLine)), int32(len(halfLine)))
		halfLine = halfLine[:0]
	}
}

//go:linkname reseed
func reseed(seed *[4]uint64)

// freshRandomness replaces the random state that came with the snapshot.
func freshRandomness() {
	var seed [4]uint64
	randomGet(unsafe.Pointer(&seed), 32)
	reseed(&seed)
}

// hostPanic tells the host where a panic started: if it ends the process, nobody can be asked afterwards.
//
//go:wasmimport codemode panic
func hostPanic(line, column int32)
