// expect-error: syntax: no files, network

import "net/http"

func Run() (any, error) { return http.Get("http://example.com") }
