// expect-value: "A-B|3"

func Run() any {
	parts := strings.Split("a,b", ",")
	return fmt.Sprintf("%s|%d", strings.ToUpper(strings.Join(parts, "-")), int(math.Sqrt(9)))
}
