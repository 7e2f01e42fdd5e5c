// expect: syntax

import "./secrets"

func Run() any { return secrets.Key }
