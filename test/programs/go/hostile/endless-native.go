// expect: timeout

import "math/big"

func Run() any {
	return new(big.Int).Exp(big.NewInt(7), big.NewInt(1<<40), big.NewInt(0)).BitLen()
}
