package main

import "runtime"

// parallel runs the functions at the same time and returns their values in order, or the first error in that order.
// Every function is run to its end first, so that the outcome does not depend on which was faster.
func (r *run) parallel(functions ...func() (any, error)) ([]any, error) {
	type ending struct {
		value    any
		err      error
		panicked any
		failed   bool
	}
	endings := make([]ending, len(functions))
	left := len(functions)
	finished := make(chan struct{})
	r.bridge.concurrent++
	defer func() { r.bridge.concurrent-- }()
	for i, function := range functions {
		go func() {
			own := &endings[i]
			own.failed = true
			defer func() {
				if own.failed {
					own.panicked = recover()
				}
				if left--; left == 0 {
					close(finished)
				}
			}()
			own.value, own.err = function()
			own.failed = false
		}()
		// Lets it start now, so that calls start in the order written.
		runtime.Gosched()
	}
	if len(functions) > 0 {
		<-finished
	}
	values := make([]any, len(functions))
	for i, own := range endings {
		if own.failed {
			panic(own.panicked)
		}
		if own.err != nil {
			return nil, own.err
		}
		values[i] = own.value
	}
	return values, nil
}
