// params: {"names":["x","y"],"limit":1}
// expect-value: ["x"]

type Params struct {
	Names []string `json:"names"`
	Limit int      `json:"limit"`
}

func Run(p Params) ([]string, error) {
	if p.Limit < len(p.Names) {
		return p.Names[:p.Limit], nil
	}
	return p.Names, nil
}
