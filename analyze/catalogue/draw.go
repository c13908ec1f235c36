package catalogue

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// DrawEntry describes references from policies to objects that hold more of their settings: an
// extension, a list of identities, the certificates of an authority.
type DrawEntry struct {
	// Path is the path of the references in the spec as written; * is any key or item. It can
	// continue into a referenced object with one of that object's Fields.
	Path string `json:"path"`
	// Kinds are the kinds that a reference may name, as GROUP/KIND. Implied means that a
	// reference without a kind names the first of them.
	Kinds   []string `json:"kinds"`
	Implied bool     `json:"implied,omitempty"`
	// Fields are the object's fields that count; none means spec. In a map of strings outside
	// spec, only the key that the reference names counts. If it names none, only Keys count, or
	// all keys if Keys is empty.
	Fields []string `json:"fields,omitempty"`
	Keys   []string `json:"keys,omitempty"`
	// SoleKey means that the only key of the object stands for the first of Keys where it has none of them, and that an
	// object with several other keys cannot be used.
	SoleKey bool `json:"soleKey,omitempty"`
	// Needs are the keys that a Secret must have all, unless it has no data yet. A policy whose Secret lacks one is rejected with
	// the reason Broken.
	Needs []string `json:"needs,omitempty"`
	// Cluster means that the kinds have no namespace.
	Cluster bool `json:"cluster,omitempty"`
	// Grant means that a reference to another namespace needs a ReferenceGrant there.
	Grant bool `json:"grant,omitempty"`
	// Broken is the reason with which a policy is rejected if the object does not exist. The
	// policy still holds its targets: no other policy takes effect in its place.
	Broken string `json:"broken,omitempty"`
	// Backends are paths of references to backends in the object; * is any item. A policy whose object names a backend that it
	// cannot use is rejected with the reason Broken.
	Backends []string `json:"backends,omitempty"`
	// Holds are the fields of which an object must have the one for the reference, by the beginning of the path of this. Without
	// it, a policy is rejected with the reason Broken.
	Holds map[string]string `json:"holds,omitempty"`
	// Says is what a text of the object must have. Without it, a policy is rejected with the reason Broken.
	Says *Says `json:"says,omitempty"`
	// Protects are fields of the object whose loss is a loss of protection. Each path begins
	// with one of Fields.
	Protects []Protection `json:"protects,omitempty"`
	// The paths of Secrecy begin with one of Fields, too.
	Secrecy
}

// Says are words of which one must be in a text of a ConfigMap, such as functions of a program: at Key, or else at any key. What names
// what they stand for.
type Says struct {
	Key  string   `json:"key"`
	One  []string `json:"one"`
	What string   `json:"what"`
}

// lack reports whether the text is known and has none of the words.
func (c *Says) lack(object *loader.Object) bool {
	entries := object.Root.Get("data").FieldList()
	if i := slices.IndexFunc(entries, func(f loader.Field) bool { return f.Key == c.Key }); i >= 0 {
		entries = entries[i : i+1]
	}
	return len(entries) > 0 && !slices.ContainsFunc(entries, func(f loader.Field) bool {
		return f.Value.Shape != loader.String || f.Value.Opaque || loader.Placeholder(f.Value.Text) || loader.Placeholder(f.Key) ||
			slices.ContainsFunc(c.One, func(name string) bool { return strings.Contains(f.Value.Text, name) })
	})
}

// DrawsFrom are the kinds of objects that policies draw settings from, as GROUP/KIND.
func (e *Entry) DrawsFrom(groups map[string]string) []string {
	var out []string
	for _, d := range compileDraws(e.Draws, groups) {
		out = append(out, d.Kinds...)
	}
	return out
}

// compileDraws expands the short forms that draws may use.
func compileDraws(draws []DrawEntry, groups map[string]string) []DrawEntry {
	var out []DrawEntry
	for _, d := range draws {
		if len(d.Fields) == 0 {
			d.Fields = []string{"spec"}
		}
		kinds := make([]string, len(d.Kinds))
		for i, word := range d.Kinds {
			allowed := readAllowance(word, groups)
			kinds[i] = allowed.group + "/" + allowed.kind
		}
		d.Kinds, d.Protects = kinds, eachProtection(d.Protects)
		d.Public, d.Secret = eachAlternative(d.Public), eachAlternative(d.Secret)
		for _, path := range alternatives(d.Path) {
			d.Path = path
			out = append(out, d)
		}
	}
	return out
}

// coreGroups are names that users write for the core group and that some controllers accept
// (Envoy Gateway, api/v1alpha1/lua_types.go; Linkerd).
var coreGroups = []string{"core", "v1"}

// Lacks returns the field or text that an object must have and does not, or "".
func (e *DrawEntry) Lacks(object *loader.Object) string {
	for begin, field := range e.Holds {
		if strings.HasPrefix(e.Path, begin+".") && object.Root.At(field).IsEmpty() {
			return field
		}
	}
	if e.Says != nil && e.Says.lack(object) {
		return e.Says.What
	}
	return ""
}

// Names is the ID of the object that a reference in owner names, or the zero ID if the reference
// names another kind.
func (e *DrawEntry) Names(ref *loader.Value, name string, owner *loader.Object) loader.ID {
	i := 0
	if written := ref.Str("kind"); written != "" || !e.Implied {
		// Some controllers compare kinds case-insensitively (linkerd2, targets_kind).
		i = slices.IndexFunc(e.Kinds, func(word string) bool { return strings.EqualFold(word[strings.Index(word, "/")+1:], written) })
	}
	if i < 0 {
		return loader.ID{}
	}
	group, kind, _ := strings.Cut(e.Kinds[i], "/")
	if written := ref.Str("group"); written != "" && written != group && (group != "" || !slices.Contains(coreGroups, written)) {
		return loader.ID{}
	}
	namespace := ref.Str("namespace")
	switch {
	case e.Cluster:
		namespace = ""
	case namespace == "":
		namespace = owner.ID.Namespace
	}
	return loader.ID{Group: group, Kind: kind, Namespace: namespace, Name: name}
}
