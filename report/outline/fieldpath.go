package outline

import (
	"regexp"
	"slices"

	"github.com/gwplan/gwplan/analyze/plan"
)

// policyKey matches the list key that a merge generates for an item without a name: the node of the
// policy that contributed the item, and the item's index there.
var policyKey = regexp.MustCompile(`\[[A-Z][A-Za-z0-9]*(?:\.[a-z0-9.-]+)?/(?:[^/\[\]]+/)?([^/\[\]]+/[0-9]+)\]`)

// ShortPath shortens such list keys to [name/0]. The output already shows the kind and namespace of
// the policy next to the path.
func ShortPath(path string) string { return policyKey.ReplaceAllString(path, "[$1]") }

// FieldPaths returns the paths of fields. It shortens them unless different paths would become
// equal.
func FieldPaths(fields []plan.Field) []string {
	full, short := make([]string, len(fields)), make([]string, len(fields))
	for i := range fields {
		full[i], short[i] = fields[i].Path, ShortPath(fields[i].Path)
	}
	if distinct(short) < distinct(full) {
		return full
	}
	return short
}

func distinct(list []string) int {
	return len(slices.Compact(slices.Sorted(slices.Values(list))))
}

// groups are the API groups in names of objects.
var groups = regexp.MustCompile(`\b([A-Z][A-Za-z0-9]*)\.[a-z0-9][a-z0-9.-]*/`)

// WithoutGroups leaves the API groups out of names of objects: SecurityPolicy/shop/cart.
func WithoutGroups(text string) string { return groups.ReplaceAllString(text, "$1/") }
