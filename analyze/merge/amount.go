package merge

import (
	"cmp"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/gwplan/gwplan/loader"
)

// quantityText matches a Kubernetes quantity (apimachinery pkg/api/resource/quantity.go, Quantity).
// Importing that package would add nine others for one comparison.
var quantityText = regexp.MustCompile(`^([+-]?(?:\d+\.?\d*|\.\d+))(?:([numkMGTPE]|[KMGTPE]i)|[eE]([+-]?\d{1,3}))?$`)

// Quantity reads a number or quantity; ok is false for anything else.
func Quantity(text string) (n *big.Rat, ok bool) {
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

// rateText matches a rate of NGINX: 10r/s, 600r/m (NGINX Gateway Fabric apis/v1alpha1/ratelimitpolicy_types.go, Rate).
var rateText = regexp.MustCompile(`^(\d{1,15})r/([sm])$`)

// perMinute reads a rate; ok is false for anything else.
func perMinute(text string) (n int, ok bool) {
	m := rateText.FindStringSubmatch(text)
	if m == nil {
		return 0, false
	}
	if n, _ = strconv.Atoi(m[1]); m[2] == "s" {
		n *= 60
	}
	return n, true
}

// CompareAmounts compares two durations, two rates, or two numbers or quantities: 60s and 1m are equal, and so are 1r/s and
// 60r/m, and 32Ki and 32768. ok is false if they are none of these.
func CompareAmounts(a, b string) (order int, ok bool) {
	d, wrong := time.ParseDuration(a)
	e, wrongToo := time.ParseDuration(b)
	if wrong == nil && wrongToo == nil {
		return cmp.Compare(d, e), true
	}
	if r, rate := perMinute(a); rate {
		q, rateToo := perMinute(b)
		return cmp.Compare(r, q), rateToo
	}
	x, okX := Quantity(a)
	y, okY := Quantity(b)
	if !okX || !okY {
		return 0, false
	}
	return x.Cmp(y), true
}

// amounts are the ends of paths of fields that hold a duration or a size. A text elsewhere, such as
// a header, is what it says.
var amounts = regexp.MustCompile(`(?i)((timeouts?|interval|duration|period|window|delay|ttl|age|backoff|limit|rate|size|bytes|memory|buffer)|/(timeouts?|retry)/[a-z]+)$`)

// SameAmount reports whether two values of a field are one duration or one quantity in two spellings. The path has slashes.
func SameAmount(path string, before, after *Tree) bool {
	text := func(t *Tree) string {
		if t == nil || t.Kind != Leaf || t.Value == nil || t.Value.Opaque || t.Value.Shape != loader.String && t.Value.Shape != loader.Int {
			return ""
		}
		return t.Value.Text
	}
	b, a := text(before), text(after)
	if b == "" || a == "" || !amounts.MatchString(path) || strings.Contains(strings.ToLower(path), "header") {
		return false
	}
	order, ok := CompareAmounts(b, a)
	return ok && order == 0
}
