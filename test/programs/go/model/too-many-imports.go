// expect-value: 1

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"time"
)

func Run() any {
	return 1
}
