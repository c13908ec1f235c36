package exposure_test

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze/catalogue"
)

// kindsPlot has a world for each secret path of each kind of the catalogue, in policies and in the
// objects that these draw from, and one for a key of each kind that names a secret. The secrets are
// texts, numbers, lists and maps. The worlds are those of one of several parts.
func kindsPlot(t *testing.T, g *garden, part, parts int) (base, head map[string]string) {
	known, err := catalogue.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	base, head = map[string]string{}, map[string]string{}
	n := 0
	for _, k := range catalogue.NewTable(known, nil).Kinds() {
		if len(attachments(&k.Entry)) == 0 {
			continue // it protects what no world has
		}
		for _, s := range secretsOf(&k.Entry) {
			if n++; n%parts != part {
				continue
			}
			g.grow(t, &k.Entry, s, n, base, head)
		}
	}
	return base, head
}

// secret is a secret path of a kind, or of the objects that its policies draw from.
type secret struct {
	path  string
	draws []catalogue.DrawEntry
}

// namedSecrets are paths that end in the name of a secret, where a kind reads some fields alone.
var namedSecrets = map[string]string{
	"istio/DestinationRule": "trafficPolicy.password",
	"kuadrant/AuthPolicy":   "rules.metadata.*.password", "kuadrant/RateLimitPolicy": "limits.*.password", "kuadrant/TokenRateLimitPolicy": "limits.*.password",
}

// secretsOf returns what an entry declares secret, and a key that names one. An object that is drawn through several fields
// has its secrets spread over them.
func secretsOf(e *catalogue.Entry) []secret {
	var out []secret
	named := cmp.Or(namedSecrets[e.ID], "further.password")
	for _, path := range append(slices.Clone(e.Secret), named) {
		out = append(out, secret{path: path})
	}
	for i := 0; i < len(e.Draws); {
		same := e.Draws[i:]
		if end := slices.IndexFunc(same, func(d catalogue.DrawEntry) bool { return !slices.Equal(d.Secret, same[0].Secret) }); end > 0 {
			same = same[:end]
		}
		i += len(same)
		secrets := same[0].Secret
		for j := range max(len(same), len(secrets)) {
			if len(secrets) > 0 {
				out = append(out, secret{secrets[j%len(secrets)], ways(e, same[j%len(same)])})
			}
		}
	}
	return out
}

// ways returns the references that lead to an object, that of the policy first: a path that goes on
// in an object begins with the path to it.
func ways(e *catalogue.Entry, d catalogue.DrawEntry) []catalogue.DrawEntry {
	for _, through := range slices.Backward(e.Draws) {
		if rest, goesOn := strings.CutPrefix(d.Path, through.Path+"."); goesOn {
			d.Path = rest
			return append(ways(e, through), d)
		}
	}
	return []catalogue.DrawEntry{d}
}

// grow plants a secret in a world of its own, of another type in head than in base.
func (g *garden) grow(t *testing.T, e *catalogue.Entry, s secret, n int, base, head map[string]string) {
	name := fmt.Sprintf("w%d", n)
	at := s.target(t, e, n)
	place := fmt.Sprintf("%s %s at a %s", e.ID, s.path, at.part)
	values := []any{g.text(place), g.number(place), []any{g.text(place), g.number(place)}, doc{"one": g.text(place), "other": g.number(place)}}
	shown := []int{g.next(place), g.next(place)}
	for i, side := range []map[string]string{base, head} {
		maps.Copy(side, s.world(e, at, name, values[(n+i)%len(values)], fmt.Sprintf("shown-%d", shown[i])).files())
	}
	g.groups = append(g.groups, shown)
}

// target returns one of the targets at which a policy has an effect.
func (s secret) target(t *testing.T, e *catalogue.Entry, n int) attachment {
	all := slices.DeleteFunc(attachments(e), func(a attachment) bool { return !serves(e, s.field(), a) })
	for i := range all {
		at := all[(n+i)%len(all)]
		if w := s.world(e, at, "idle", "idle", "idle"); !compare(t, w, w).idle() {
			return at
		}
	}
	return all[n%len(all)]
}

// field is the field of the policy that holds the secret, or the reference that leads to it.
func (s secret) field() catalogue.Protection {
	path := s.path
	if len(s.draws) > 0 {
		path = s.draws[0].Path
	}
	return catalogue.Protection{Path: strings.TrimSuffix(path, ".*")}
}

// world returns a world with a value at the secret's path, and beside it a public one.
func (s secret) world(e *catalogue.Entry, at attachment, name string, value any, public string) *world {
	w := newWorldIn(rand.New(rand.NewPCG(1, 1)), name, name, controllerOf(e))
	w.folder, w.layout.single = name, true
	path, hidden := s.path, fmt.Sprint(value)
	for i, d := range slices.Backward(s.draws) {
		key := fmt.Sprint("drawn", i)
		group, kind, _ := strings.Cut(d.Kinds[0], "/")
		object := below(path, value)
		delete(object, "keep") // beside spec or data nothing counts
		w.docs[key] = object
		object["apiVersion"], object["kind"], object["metadata"] = strings.TrimPrefix(group+"/v1", "/"), kind, doc{"name": key, "namespace": name}
		ref := doc{"group": group, "kind": kind, "name": key}
		if d.Implied {
			ref = doc{"name": key}
		}
		value, path = ref, d.Path
	}
	one := row{entry: e, Protection: s.field(), beside: doc{}}
	one.spell()
	spec := one.spec(at, last(path, value))
	if len(s.draws) > 0 {
		spec = below(path, value) // the path of a reference is that of the spec as written
		delete(spec, "keep")      // alone it would have an effect
	}
	w.attach(e, at, name, spec)
	shown := false
	for _, d := range w.docs {
		_, done := show(d, hidden, public)
		shown = shown || done
	}
	if !shown { // all that stands beside the secret is secret
		spec["keep"] = public
	}
	return w
}

// last returns a value as it stands at a path: in a list or map where the path ends with any item.
func last(path string, value any) any {
	_, object := value.(doc)
	switch {
	case !strings.HasSuffix(path, "*"):
		return value
	case object:
		return []any{value}
	}
	return doc{"one": value}
}

// below returns an object with a value at a path, and something public beside each step to it.
func below(path string, value any) doc {
	step, rest, more := strings.Cut(path, ".")
	if !more {
		return doc{step: value, "keep": "this"}
	}
	if rest == "*" {
		return doc{step: last(rest, value), "keep": "this"}
	}
	inner, list := strings.CutPrefix(rest, "*.")
	item := below(inner, value)
	if !list {
		return doc{step: item, "keep": "this"}
	}
	item["name"] = "item"
	return doc{step: []any{item}, "keep": "this"}
}

// show writes a public value into the innermost map that holds a secret.
func show(v any, hidden, public string) (near, done bool) {
	if fmt.Sprint(v) == hidden {
		return true, false
	}
	each := func(child any) {
		n, d := show(child, hidden, public)
		near, done = near || n, done || d
	}
	switch v := v.(type) {
	case doc:
		for _, child := range v {
			each(child)
		}
		if near && !done && v["keep"] != nil {
			v["keep"], done = public, true
		}
	case []any:
		for _, child := range v {
			each(child)
		}
	}
	return near, done
}
