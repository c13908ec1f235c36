package protection

import (
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

// quantityText matches a Kubernetes quantity (apimachinery pkg/api/resource/quantity.go, Quantity).
// Importing that package would add nine others for one comparison.
var quantityText = regexp.MustCompile(`^([+-]?(?:\d+\.?\d*|\.\d+))(?:([numkMGTPE]|[KMGTPE]i)|[eE]([+-]?\d{1,3}))?$`)

// quantity reads a number or quantity; ok is false for anything else.
func quantity(text string) (n *big.Rat, ok bool) {
	m := quantityText.FindStringSubmatch(text)
	if m == nil {
		return nil, false
	}
	if n, ok = new(big.Rat).SetString(m[1]); !ok {
		return nil, false
	}
	base, exponent := int64(10), 0
	switch suffix := m[2]; {
	case m[3] != "":
		exponent, _ = strconv.Atoi(m[3])
	case strings.HasSuffix(suffix, "i"):
		base, exponent = 1024, strings.Index("KMGTPE", suffix[:1])+1
	case suffix != "":
		exponent = 3 * (strings.Index("num kMGTPE", suffix) - len("num"))
	}
	by := new(big.Int).Exp(big.NewInt(base), big.NewInt(int64(max(exponent, -exponent))), nil)
	if exponent < 0 {
		return n.Quo(n, new(big.Rat).SetInt(by)), true
	}
	return n.Mul(n, new(big.Rat).SetInt(by)), true
}
