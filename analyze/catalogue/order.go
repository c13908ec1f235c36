package catalogue

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/gwplan/gwplan/analyze/age"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// Precedence compares two policies of a kind by the kind's own sort keys.
func (k *Kind) Precedence(a, b *loader.Object, ages age.Ages) age.Order {
	for _, key := range k.Order {
		name, descending := strings.CutPrefix(key, "-")
		by := plan.ByField
		c := 0
		switch name {
		case "creationTimestamp":
			return ages.Order(a, b)
		case "namespace":
			c, by = cmp.Compare(a.ID.Namespace, b.ID.Namespace), plan.ByName
		case "name":
			c, by = cmp.Compare(a.ID.Name, b.ID.Name), plan.ByName
		default:
			c = compareField(name, a, b)
		}
		if descending {
			c = -c
		}
		if c != 0 {
			return age.Order{Compare: c, By: by}
		}
	}
	return ages.Order(a, b)
}

// compareField compares spec.FIELD or annotation:NAME as numbers. An absent value, or one that
// is not a number, counts as 0.
func compareField(name string, a, b *loader.Object) int {
	read := func(o *loader.Object) string {
		if annotation, ok := strings.CutPrefix(name, "annotation:"); ok {
			return o.Annotations()[annotation]
		}
		if v := o.Root.At(name); v != nil {
			return v.Text
		}
		return ""
	}
	number := func(text string) float64 {
		n, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return 0 // as controllers read it
		}
		return n
	}
	return cmp.Compare(number(read(a)), number(read(b)))
}
