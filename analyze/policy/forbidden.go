package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/loader"
)

// Forbids returns the message for a field of the policy that a target of a kind, or a section of
// it, does not allow, or "" if it allows all (spec.only).
func (p *Policy) Forbids(kind, section string) string {
	text, _ := p.forbids(kind, section)
	return text
}

// forbids is Forbids; held reports whether the policy keeps the target all the same.
func (p *Policy) forbids(kind, section string) (text string, held bool) {
	for _, only := range p.Kind.Spec.Only {
		if !has(p.Object.Spec(), only.Field) {
			continue
		}
		switch {
		case len(only.Kinds) > 0 && !slices.Contains(only.Kinds, kind):
			return fmt.Sprintf("the field %s is allowed only for targets of kind %s, not %s", only.Field, strings.Join(only.Kinds, ", "), kind), only.Held
		case only.Whole && section != "":
			return fmt.Sprintf("%s cannot target a section of %s", only.Field, kind), only.Held
		}
	}
	return "", false
}

// has reports whether a spec has a value at a path or, for PATH=VALUE, that value. A * stands for any item of a list.
func has(spec *loader.Value, field string) bool {
	path, value, exact := strings.Cut(field, "=")
	return slices.ContainsFunc(every(spec, strings.Split(path, ".")), func(v *loader.Value) bool {
		return !v.IsNull() && (!exact || v.Text == value)
	})
}

// portNumber is the section that a port number means, for references with `numbers`. ok is false
// if the section must be a number and is not.
func (r reader) portNumber(id loader.ID, form catalogue.RefEntry, section string) (name string, ok bool) {
	if !form.Numbers || section == "" || id.Group != "" || id.Kind != "Service" {
		return section, true
	}
	if strings.Trim(section, "0123456789") != "" {
		return section, false
	}
	return r.graph.PortName(id, section), true
}

func notNumbered(id loader.ID, section string) string {
	return fmt.Sprintf("a section of %s is the number of its port, not %q", id.Kind, section)
}
