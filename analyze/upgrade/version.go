package upgrade

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
)

// Version is a minor release. The zero value is an unknown one, which is before all others.
type Version struct{ Major, Minor int }

// released matches a version such as v1.9.1, 1.31, 1.9.x or ~1.9.0. Of any other range, the release in use is
// not known.
var released = regexp.MustCompile(`^~?v?(\d{1,4})\.(\d{1,4})(\.(\d+|x|\*))?([-+][0-9A-Za-z.+-]+)?$`)

// ParseVersion returns the minor release of a version, and whether the text names one.
func ParseVersion(text string) (Version, bool) {
	m := released.FindStringSubmatch(text)
	if m == nil {
		return Version{}, false
	}
	major, _ := strconv.Atoi(m[1]) // four digits
	minor, _ := strconv.Atoi(m[2])
	return Version{major, minor}, true
}

// Before reports whether a release is older than another.
func (v Version) Before(other Version) bool {
	return cmp.Or(cmp.Compare(v.Major, other.Major), cmp.Compare(v.Minor, other.Minor)) < 0
}

func (v Version) String() string {
	if v == (Version{}) {
		return "unknown"
	}
	return fmt.Sprintf("%d.%d", v.Major, v.Minor)
}
