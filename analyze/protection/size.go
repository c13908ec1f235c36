package protection

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"
)

// sizeText is a size of NGINX (NGINX Gateway Fabric, apis/v1alpha1/shared_types.go, Size).
var sizeText = regexp.MustCompile(`^(\d+)([kKmMgG]?)$`)

// compareSizes is 1 if the second size is larger, -1 if it is smaller, and 0 if they are equal or one is no size.
func compareSizes(before, after string) int {
	b, okB := bytesOf(before)
	a, okA := bytesOf(after)
	if !okB || !okA {
		return 0
	}
	return cmp.Compare(a, b)
}

func bytesOf(text string) (int64, bool) {
	m := sizeText.FindStringSubmatch(text)
	if m == nil {
		return 0, false
	}
	n, err := strconv.ParseInt(m[1], 10, 64)
	return n << (10 * strings.Index(" kmg", strings.ToLower(cmp.Or(m[2], " ")))), err == nil
}
