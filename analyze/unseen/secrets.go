package unseen

import (
	"cmp"
	"slices"

	"github.com/gwplan/gwplan/analyze/applied"
	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/loader"
)

// secrets finds Secrets that change and that something in the input reads: users of basic authentication, keys, an
// authority, a certificate. Of their values it is only known that they differ.
func (s *search) secrets(pair applied.Pair) {
	if pair.Base == nil || pair.Head == nil {
		return
	}
	before := pair.Base.ByID()
	var by map[loader.ID][]string
	for _, o := range pair.Head.Objects {
		was := before[o.ID]
		if o.ID.Kind != "Secret" || o.ID.Group != "" || o.Context || was == nil || was.Digest == o.Digest {
			continue
		}
		if by == nil {
			by = readers(pair.Head, func(loader.ID) bool { return true })
		}
		if readers := by[o.ID]; len(readers) > 0 {
			at := o.First()
			if body := cmp.Or(o.Root.Get("stringData"), o.Root.Get("data")); body != nil {
				at = o.Position(body)
			}
			s.add(o.ID.Spoken(), "changed", pair.Name(), at, readers).Sealed = true
		}
	}
}

// readers are those of some objects of an environment that read Secrets and ConfigMaps, by kind and name, sorted, for
// each of these.
func readers(env *loader.Environment, of func(loader.ID) bool) map[loader.ID][]string {
	out := map[loader.ID][]string{}
	for _, o := range env.Objects {
		if o.ID.Kind == "Secret" || inventory.Makes(o.ID.Group, o.ID.Kind) || o.Context || !of(o.ID) {
			continue
		}
		name := o.ID.Spoken()
		eachSecret(o.Spec(), "", o.ID.Namespace, func(id loader.ID) {
			out[id] = appendOther(out[id], name)
		})
	}
	for _, list := range out {
		slices.Sort(list)
	}
	return out
}

// appendOther appends a name that is not the last one. Names come in groups.
func appendOther(list []string, name string) []string {
	if n := len(list); n > 0 && list[n-1] == name {
		return list
	}
	return append(list, name)
}

// eachSecret visits the Secrets and ConfigMaps to which a value may refer: by an object with nothing but a name and what goes with one,
// under a key that is none of other references.
func eachSecret(v *loader.Value, key, namespace string, visit func(loader.ID)) {
	if v == nil {
		return
	}
	if name := v.Str("name"); name != "" && !slices.Contains(otherReferences, key) && onlyReference(v) && (v.Get("kind") == nil || v.Str("kind") == "Secret" || v.Str("kind") == "ConfigMap") {
		visit(loader.ID{Kind: cmp.Or(v.Str("kind"), "Secret"), Namespace: cmp.Or(v.Str("namespace"), namespace), Name: name})
	}
	for _, f := range v.FieldList() {
		eachSecret(f.Value, f.Key, namespace, visit)
	}
	for _, item := range v.ItemList() {
		eachSecret(item, key, namespace, visit)
	}
}

// otherReferences are keys of references to other kinds, which may be left out there.
var otherReferences = []string{
	"parentRef", "parentRefs", "targetRef", "targetRefs", "backendRef", "backendRefs", "parametersRef", "extensionRef", "listeners", "rules",
}

func onlyReference(v *loader.Value) bool {
	return !slices.ContainsFunc(v.FieldList(), func(f loader.Field) bool {
		return !slices.Contains([]string{"group", "kind", "name", "namespace", "key", "optional", "sectionName", "targetPath", "valuesKey"}, f.Key)
	})
}
