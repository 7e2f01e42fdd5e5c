package main

import _ "embed"

//go:embed warm_up.go.txt
var warmUpCode string

// warmUp touches what most scripts touch, so that the snapshot has it ready and V8 has compiled it.
var warmUp = request{Code: warmUpCode, Params: []byte(`{"names":["b","a"]}`), AllowThreads: true}
