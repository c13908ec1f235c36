package unseen

import (
	"regexp"
	"slices"

	"github.com/gwplan/gwplan/analyze/network"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// guarding matches the fields of policies that name a server which decides about requests.
var guarding = regexp.MustCompile(`(?i)auth|extproc|ratelimit`)

// guards are the policies that have a Service decide about their requests, by Service.
func guards(s *search, env *loader.Environment) map[loader.ID][]string {
	out := map[loader.ID][]string{}
	for _, o := range env.Objects {
		if s.Table.Kind(o.ID.Group, o.ID.Kind) == nil || o.Context {
			continue
		}
		name := o.ID.Spoken()
		for _, v := range valuesBelow(o.Spec(), guarding) {
			eachService(v, "", o.ID.Namespace, nil, func(id loader.ID) { out[id] = appendOther(out[id], name) })
		}
	}
	return out
}

// valuesBelow returns the outermost values whose keys match.
func valuesBelow(v *loader.Value, keys *regexp.Regexp) (out []*loader.Value) {
	for _, f := range v.FieldList() {
		if keys.MatchString(f.Key) {
			out = append(out, f.Value)
		} else {
			out = append(out, valuesBelow(f.Value, keys)...)
		}
	}
	for _, item := range v.ItemList() {
		out = append(out, valuesBelow(item, keys)...)
	}
	return out
}

// program is what the containers of a workload run, by field. Versions of an image are left out: they come and go with every
// update.
type program map[string]string

func programOf(o *loader.Object) program {
	out := program{}
	for _, c := range network.ContainersOf(o) {
		for _, field := range plan.ProgramFields() {
			v := c.Get(field)
			switch {
			case v == nil:
			case field == "image":
				out[field] += "\n" + network.Unversioned(v.Text)
			default:
				digest := loader.Digest(loader.ID{}, v)
				out[field] += "\n" + string(digest[:])
			}
		}
	}
	return out
}

// differs returns the fields in which two programs differ.
func (p program) differs(other program) []string {
	return slices.DeleteFunc(slices.Clone(plan.ProgramFields()), func(field string) bool { return p[field] == other[field] })
}
