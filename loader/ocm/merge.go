package ocm

import (
	"slices"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
)

// compliance is how a template is compared with the object (complianceType): with "musthave" the object has at least the
// fields of the template, with "mustonlyhave" exactly these, with "mustnothave" it does not exist. metadata is
// metadataComplianceType, or "" for the same.
type compliance struct {
	object, metadata string
	// recreate replaces an object that is not as it must be.
	recreate bool
	// policy is the policy or the work that gives the object. prunes means that the object is deleted together with it.
	prunes bool
	policy loader.ID
	// frozen is why the object is left as it is once it exists, "" if it is not.
	frozen string
}

const (
	mustHave     = "musthave"
	mustOnlyHave = "mustonlyhave"
	mustNotHave  = "mustnothave"
)

// merger merges the templates of several policies for one object. Each value that it looks at is a step: lists are
// compared item by item.
type merger struct{ effort *effort }

// enforced returns an existing object after a template is applied to it. fought means that the policy which set the
// existing values would change it back (config-policy-controller controllers, checkAndUpdateResource).
func (m merger) enforced(existing, template deploy.Object, c compliance) (out deploy.Object, fought bool) {
	shift := uint32(len(existing.Files))
	root := deploy.Remarked(template.Root, func(m loader.Mark) loader.Mark {
		m.File += shift
		return m
	})
	want := m.updated(existing.Root, root, c)
	if m.equivalent(want, existing.Root) {
		return existing, false
	}
	if c.recreate {
		want = root
	}
	out = existing
	out.Files = slices.Concat(existing.Files, template.Files)
	out.Inputs = slices.Concat(existing.Inputs, template.Inputs)
	out.Root = want
	return out, !m.equivalent(m.updated(want, existing.Root, compliance{}), want)
}

// updated merges each key of an object. Of metadata, only labels and annotations are changed, and status is
// not written (handleKeys).
func (m merger) updated(existing, template *loader.Value, c compliance) *loader.Value {
	out := *existing
	fields := fieldsOf(existing)
	for _, f := range template.Fields {
		switch was := fields.get(f.Key); {
		case f.Key == "status":
		case f.Key == "metadata":
			fields.set(f.Key, m.updatedMetadata(was, f.Value, c))
		case c.object == mustOnlyHave:
			fields.set(f.Key, f.Value)
		default:
			fields.set(f.Key, m.mergedValue(was, f.Value))
		}
	}
	out.Fields = fields.list
	if c.object == mustOnlyHave {
		kept := fieldsOf(template)
		out.Fields = slices.DeleteFunc(out.Fields, func(f loader.Field) bool {
			return f.Key != "metadata" && f.Key != "status" && kept.get(f.Key) == nil
		})
	}
	return &out
}

func (m merger) updatedMetadata(existing, template *loader.Value, c compliance) *loader.Value {
	if existing == nil {
		return template
	}
	only := c.metadata == mustOnlyHave || c.metadata == "" && c.object == mustOnlyHave
	out := *existing
	fields := fieldsOf(existing)
	for _, f := range template.Fields {
		switch {
		case f.Key != "labels" && f.Key != "annotations":
		case only:
			fields.set(f.Key, f.Value)
		default:
			fields.set(f.Key, m.mergedValue(fields.get(f.Key), f.Value))
		}
	}
	out.Fields = fields.list
	return &out
}

// fields are a copy of the fields of a map, which may be thousands, with the place of each key.
type fields struct {
	list []loader.Field
	at   map[string]int
}

func fieldsOf(v *loader.Value) *fields {
	f := &fields{slices.Clone(v.Fields), make(map[string]int, len(v.Fields))}
	for i, field := range f.list {
		f.at[field.Key] = i
	}
	return f
}

// get returns a value, or nil.
func (f *fields) get(key string) *loader.Value {
	if i, has := f.at[key]; has {
		return f.list[i].Value
	}
	return nil
}

func (f *fields) set(key string, value *loader.Value) {
	i, has := f.at[key]
	if !has {
		f.at[key] = len(f.list)
		f.list = append(f.list, loader.Field{Key: key, Value: value})
		return
	}
	f.list[i].Value = value
}

// mergedValue merges a value with that of a template: keys of the template win, lists only grow, and null
// leaves a map as it is (mergeSpecs).
func (m merger) mergedValue(existing, template *loader.Value) *loader.Value {
	switch {
	case !m.effort.spend(1):
		return template
	case existing != nil && existing.Shape == loader.Map && template.Shape == loader.Null:
		return existing
	case existing == nil || existing.Shape != template.Shape:
		return template
	case template.Shape == loader.Map:
		out := *existing
		fields := fieldsOf(existing)
		for _, f := range template.Fields {
			fields.set(f.Key, m.mergedValue(fields.get(f.Key), f.Value))
		}
		out.Fields = fields.list
		return &out
	case template.Shape == loader.List:
		return m.mergedList(existing, template)
	}
	return template
}

// mergedList returns the items of the template, each merged with the existing item that has its name or that it is a
// part of, and after them the remaining existing items. Equal existing items use up as many items of the template as
// there are of them (mergeArrays).
func (m merger) mergedList(existing, template *loader.Value) *loader.Value {
	out := *template
	out.Items = slices.Clone(template.Items)
	used := make([]bool, len(template.Items))
	for n, item := range existing.Items {
		same := func(other *loader.Value) bool { return m.effort.spend(1) && loader.Equal(other, item) }
		if slices.ContainsFunc(existing.Items[:n], same) {
			continue
		}
		left := 1
		for _, other := range existing.Items[n+1:] {
			if same(other) {
				left++
			}
		}
		for i, t := range template.Items {
			if left == 0 {
				break
			}
			if used[i] {
				continue
			}
			if both, ok := m.joined(item, t); ok {
				out.Items[i], used[i] = both, true
				left--
			}
		}
		for range left {
			out.Items = append(out.Items, item)
		}
	}
	return &out
}

// joined returns an existing item of a list with what an item of the template adds, if the two are one: both
// have the same name, or the template adds nothing.
func (m merger) joined(item, template *loader.Value) (*loader.Value, bool) {
	if item.Shape != loader.Map || template.Shape != loader.Map {
		return template, m.equivalent(item, template)
	}
	both := m.mergedValue(item, template)
	return both, item.Str("name") != "" && item.Str("name") == template.Str("name") || m.equivalent(both, item)
}

// equivalent reports whether two values are equal if the order of lists does not count (deeplyEquivalent,
// checkListsAreEquivalent). Without effort left it does not look further.
func (m merger) equivalent(a, b *loader.Value) bool {
	switch {
	case !m.effort.spend(1):
		return true
	case a == nil || b == nil:
		return a == b
	case a.Shape != b.Shape || len(a.Fields) != len(b.Fields) || len(a.Items) != len(b.Items):
		return false
	case a.Shape == loader.Map:
		of := fieldsOf(b)
		return !slices.ContainsFunc(a.Fields, func(f loader.Field) bool { return !m.equivalent(f.Value, of.get(f.Key)) })
	case a.Shape == loader.List:
		return m.sameItems(a.Items, b.Items)
	}
	return a.Text == b.Text
}

// sameItems reports whether two lists of one length have the same items in any order.
func (m merger) sameItems(a, b []*loader.Value) bool {
	left := slices.Clone(b)
	for _, x := range a {
		i := slices.IndexFunc(left, func(y *loader.Value) bool { return m.equivalent(x, y) })
		if i < 0 {
			return false
		}
		left = slices.Delete(left, i, i+1)
	}
	return true
}
