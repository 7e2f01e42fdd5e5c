// expect: runtime

import "text/template"

func Run() (any, error) {
	t, err := template.New("x").ParseFiles("/etc/passwd")
	if err != nil {
		return nil, err
	}
	return t.Name(), nil
}
