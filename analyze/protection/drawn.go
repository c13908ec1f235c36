package protection

import (
	"cmp"
	"strings"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/change"
	"github.com/gwplan/gwplan/analyze/effective"
)

// drawnFields returns the protecting fields of the objects that two effective policies reference,
// grouped by pattern.
func drawnFields(before, after *effective.Policy) [][]protectedField {
	var out [][]protectedField
	index := map[string]int{}
	change.EachDrawn(before, after, func(place []effective.Step, b, a *effective.Drawn) {
		d := cmp.Or(a, b)
		if b != nil && b.Tree == nil || a != nil && a.Tree == nil {
			return // the content of the object is unknown on one side
		}
		for i := range d.Protects {
			p := &d.Protects[i]
			// Rows for the spec judge the reference itself.
			if p.Loosens != catalogue.Gone && (b == nil || a == nil) {
				continue
			}
			key := p.Path + " " + string(p.Loosens)
			if _, seen := index[key]; !seen {
				index[key] = len(out)
				out = append(out, nil)
			}
			for _, f := range expand(b.Content(), a.Content(), *p, restricts(d.Protects, *p)) {
				f.by, f.path = p, plainPlace(place)+sayable(&d.Secrecy, *p, f.path)
				out[index[key]] = append(out[index[key]], f)
			}
		}
	})
	return out
}

// plainPlace returns the path of a place, with list keys as steps.
func plainPlace(place []effective.Step) string {
	var b strings.Builder
	for _, step := range place {
		b.WriteString("/" + step.Key)
	}
	return b.String()
}
