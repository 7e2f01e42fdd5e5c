module codemode

go 1.26.0

toolchain go1.26.8

require github.com/traefik/yaegi v0.16.1
