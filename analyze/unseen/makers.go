package unseen

import (
	"maps"
	"slices"
	"sync"

	"github.com/gwplan/gwplan/analyze/applied"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/loader"
)

// makers finds objects that make a Secret or ConfigMap which something in the input reads, and that change: another
// issuer, other names, another source. What they make is not in Git.
func (s *search) makers(pair applied.Pair) {
	selectors := sync.OnceValue(func() secretSelectors { return secretSelectorsOf(pair.Base) })
	for _, e := range s.edits.of(pair) {
		o := e.Object()
		if !inventory.Makes(o.ID.Group, o.ID.Kind) || o.Context {
			continue
		}
		was, is := labelsGiven(e.Was), labelsGiven(e.Is)
		another := e.Was == nil || e.Is == nil || makesAnother(e.Was, e.Is)
		if another || !slices.EqualFunc(was, is, maps.Equal) {
			if by := selectors().of(slices.Concat(was, is)); len(by) > 0 {
				s.add(o.ID.Spoken(), e.Change(), pair.Name(), o.First(), by).Makes = inventory.Made(o).Spoken()
				continue
			}
		}
		if !another {
			continue
		}
		env := pair.Head
		if e.Was == nil {
			env = pair.Base // something that comes with its certificate is told itself
		}
		for _, made := range madeBy(e.Was, e.Is) {
			if by := s.readersOf(env, made); len(by) > 0 {
				s.add(o.ID.Spoken(), e.Change(), pair.Name(), o.First(), by).Makes = made.Spoken()
				break
			}
		}
	}
}

// labelsGiven are the labels of the Secret that an object makes.
func labelsGiven(o *loader.Object) []map[string]string {
	var out []map[string]string
	if o == nil {
		return nil
	}
	for _, path := range [][]string{
		{"template", "metadata", "labels"},
		{"target", "template", "metadata", "labels"},
		{"externalSecretSpec", "target", "template", "metadata", "labels"},
		{"secretTemplate", "labels"},
		{"destination", "labels"},
	} {
		labels := map[string]string{}
		for _, f := range o.Spec().Get(path...).FieldList() {
			labels[f.Key] = f.Value.Text
		}
		if len(labels) > 0 {
			out = append(out, labels)
		}
	}
	return out
}

// secretSelectors are the selectors of an environment by which objects read Secrets: by one of their labels, or in others those
// without any.
type secretSelectors struct {
	by     map[label][]secretSelector
	others []secretSelector
}

type secretSelector struct {
	selector *loader.Value
	reader   string
}

// Of the selectors without a label, the first maxOthers are looked at, and of the readers of a Secret maxSelecting are named.
const (
	maxOthers    = 1000
	maxSelecting = 100
)

func secretSelectorsOf(env *loader.Environment) secretSelectors {
	out := secretSelectors{by: map[label][]secretSelector{}}
	if env == nil {
		return out
	}
	for _, o := range env.Objects {
		if o.ID.Kind == "Secret" || o.Context {
			continue
		}
		eachSecretSelector(o.Root, "", "", func(selector *loader.Value) {
			one := secretSelector{selector, o.ID.Spoken()}
			if labels := selector.Get("matchLabels").FieldList(); len(labels) > 0 {
				at := label{key: labels[0].Key, value: labels[0].Value.Text}
				out.by[at] = append(out.by[at], one)
			} else if len(out.others) < maxOthers {
				out.others = append(out.others, one)
			}
		})
	}
	return out
}

// of returns the objects that read a Secret with one of some sets of labels.
func (s secretSelectors) of(given []map[string]string) (by []string) {
	for _, labels := range given {
		look := func(list []secretSelector) {
			for _, one := range list {
				if ok, err := loader.Selects(one.selector, labels); ok && err == nil && len(by) < maxSelecting {
					by = appendOther(by, one.reader)
				}
			}
		}
		look(s.others)
		for key, value := range labels {
			if len(by) < maxSelecting {
				look(s.by[label{key: key, value: value}])
			}
		}
	}
	slices.Sort(by)
	return slices.Compact(by)
}

// madeBy returns what an object makes on the two sides, what it made before first.
func madeBy(was, is *loader.Object) []loader.ID {
	var out []loader.ID
	for _, o := range []*loader.Object{was, is} {
		if o == nil {
			continue
		}
		if made := inventory.Made(o); !slices.Contains(out, made) {
			out = append(out, made)
		}
	}
	return out
}

// readersOf returns the policies and objects of Gateway API in an environment that read a Secret or ConfigMap, which is
// in each namespace if it has none.
func (s *search) readersOf(env *loader.Environment, made loader.ID) []string {
	if s.readers[env] == nil {
		if s.readers == nil {
			s.readers = map[*loader.Environment]map[loader.ID][]string{}
		}
		s.readers[env] = readers(env, func(id loader.ID) bool {
			return id.Kind != "HelmRelease" && hierarchy.Needs(id.Group, id.Kind) || s.Table.Kind(id.Group, id.Kind) != nil
		})
	}
	if made.Namespace != "" {
		return s.readers[env][made]
	}
	var out []string
	for id, by := range s.readers[env] {
		if id.Kind == made.Kind && id.Name == made.Name {
			out = append(out, by...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// upkeep are settings of what makes Secrets that do not decide what is in them: when they are made anew, and what else
// is written beside them.
var upkeep = []string{"duration", "renewBefore", "renewBeforePercentage", "revisionHistoryLimit", "secretTemplate", "refreshInterval", "refreshPolicy"}

// makesAnother reports whether a setting differs that decides what an object makes.
func makesAnother(was, is *loader.Object) bool {
	return slices.ContainsFunc(differing(was, is), func(field string) bool { return !slices.Contains(upkeep, field) })
}
