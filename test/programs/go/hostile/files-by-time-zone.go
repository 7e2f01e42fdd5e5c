// expect-error: runtime: unknown time zone

import "time"

func Run() (any, error) {
	zone, err := time.LoadLocation("Europe/Paris")
	if err != nil {
		return nil, err
	}
	return zone.String(), nil
}
