package main

import (
	"encoding/json"
	"os"
	"unsafe"
)

// settled is the host's answer to one call.
type settled struct {
	ok   bool
	text []byte
}

// bridge carries host calls. A lone goroutine blocks in the host; where several may run, a caller parks, and the Go
// scheduler itself blocks in the host once nothing else can run: the host's answers reach it as a pollable file.
type bridge struct {
	waiting map[int32]chan settled
	// concurrent counts the reasons why others may run meanwhile.
	concurrent int
	answers    *os.File
}

// answersFile is the descriptor the shim serves: readable when a call has settled.
const answersFile = 3

func newBridge() *bridge { return &bridge{waiting: map[int32]chan settled{}} }

// call starts a host call and waits for its answer; other goroutines run meanwhile if there are any.
func (b *bridge) call(index int32, args []byte) settled {
	flushLog()
	id := hostStart(index, unsafe.Pointer(unsafe.SliceData(args)), int32(len(args)))
	if b.concurrent == 0 {
		for {
			got := hostWait()
			answer := takeSettled()
			if got == id {
				return answer
			}
			b.deliver(got, answer)
		}
	}
	b.listen()
	done := make(chan settled, 1)
	b.waiting[id] = done
	return <-done
}

func (b *bridge) deliver(id int32, answer settled) {
	if done, ok := b.waiting[id]; ok {
		delete(b.waiting, id)
		done <- answer
	}
}

// listen starts the goroutine that hands answers to the parked callers.
func (b *bridge) listen() {
	if b.answers != nil {
		return
	}
	b.answers = os.NewFile(answersFile, "answers")
	go func() {
		var ready [1]byte
		for {
			if n, err := b.answers.Read(ready[:]); n == 0 || err != nil {
				return
			}
			id := hostWait()
			b.deliver(id, takeSettled())
		}
	}()
}

func takeSettled() settled {
	text := make([]byte, hostSize())
	answer := settled{ok: hostOk() != 0, text: text}
	if len(text) > 0 {
		hostTake(unsafe.Pointer(unsafe.SliceData(text)))
	}
	return answer
}

// value turns an answer into what the script receives.
func (s settled) value() (any, error) {
	if !s.ok {
		return nil, s.failure()
	}
	if len(s.text) == 0 {
		return nil, nil
	}
	// Nobody writes to these bytes any more.
	value, err := decode(unsafe.String(unsafe.SliceData(s.text), len(s.text)))
	if err != nil {
		return nil, &CallError{Code: "internal", Text: "the host's answer is not JSON"}
	}
	return value, nil
}

func (s settled) failure() *CallError {
	var sent struct{ Code, Tool, Message string }
	if err := json.Unmarshal(s.text, &sent); err != nil {
		return &CallError{Code: "internal", Text: "the host's answer is not JSON"}
	}
	return &CallError{Code: sent.Code, Tool: sent.Tool, Text: sent.Message}
}
