// expect: runtime

import (
	"strings"
	"text/template"
)

func Run() (any, error) {
	t := template.Must(template.New("a").Parse(`{{define "b"}}{{template "b"}}{{end}}{{template "b"}}`))
	var out strings.Builder
	err := t.Execute(&out, nil)
	return out.String(), err
}
