package analyze

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// secrets finds Secrets that change and that something in the input reads: users of basic authentication, keys, an
// authority, a certificate. Of their values it is only known that they differ.
func (s *search) secrets(pair environmentPair) {
	if pair.base == nil || pair.head == nil {
		return
	}
	before := byID(pair.base)
	for _, o := range pair.head.Objects {
		was := before[o.ID]
		if o.ID.Kind != "Secret" || o.ID.Group != "" || o.Context || was == nil || was.Digest == o.Digest {
			continue
		}
		if by := readers(pair.head, o.ID); len(by) > 0 {
			at := o.First()
			if body := cmp.Or(o.Root.Get("stringData"), o.Root.Get("data")); body != nil {
				at = o.Position(body)
			}
			s.add("Secret "+o.ID.Namespace+"/"+o.ID.Name, "changed", pair.name(), at, by)
			s.found[len(s.found)-1].Sealed = true
		}
	}
}

// readers are the objects that read a Secret, by kind and name.
func readers(env *loader.Environment, secret loader.ID) []string {
	var out []string
	for _, o := range env.Objects {
		if !slices.Contains(writers, o.ID.Kind) && !o.Context && refersTo(o.Spec(), "", o.ID.Namespace, secret) {
			out = append(out, o.ID.Kind+" "+strings.TrimPrefix(o.ID.Namespace+"/"+o.ID.Name, "/"))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// writers are kinds that name a Secret because they write it.
var writers = []string{"Secret", "Certificate", "ExternalSecret", "SealedSecret"}

// refersTo reports whether a value has a reference to a Secret: an object with nothing but a name and what goes with
// one, under a key that is none of other references.
func refersTo(v *loader.Value, key, namespace string, secret loader.ID) bool {
	if v == nil {
		return false
	}
	if v.Str("name") == secret.Name && !slices.Contains(otherReferences, key) && onlyReference(v) &&
		(v.Get("kind") == nil || v.Str("kind") == "Secret") && (v.Get("namespace") == nil && namespace == secret.Namespace || v.Str("namespace") == secret.Namespace) {
		return true
	}
	for _, f := range v.FieldList() {
		if refersTo(f.Value, f.Key, namespace, secret) {
			return true
		}
	}
	return slices.ContainsFunc(v.ItemList(), func(item *loader.Value) bool { return refersTo(item, key, namespace, secret) })
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
