package analyze_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze"
	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/plan"
)

// Every reference that an entry draws through shows, in force, what the object says
// that it names, with the object as the source, on the way that the kind's specs
// take: by phase, side by side, by port.
func TestEveryDrawIsInForce(t *testing.T) {
	o := options(t, "[]")
	o.Complete = true
	table := catalogue.NewTable(o.Catalogue, nil)
	drawn := 0
	for i := range o.Catalogue.Entries {
		e := &o.Catalogue.Entries[i]
		k := table.Kind(e.Group, e.Kind)
		for at, d := range k.Draws {
			for _, kind := range d.Kinds {
				t.Run(strings.ReplaceAll(e.ID, "/", "_")+" "+d.Path+" "+kind[strings.Index(kind, "/")+1:], func(t *testing.T) {
					if !drawsInForce(t, o, e, k.Draws[:at], d, kind) {
						t.Error("nothing of the object is in force")
					}
				})
				drawn++
			}
		}
	}
	if drawn < 60 {
		t.Errorf("only %d references are drawn through", drawn)
	}
}

// drawsInForce tries the targets of a kind until what is drawn is in force at one.
func drawsInForce(t *testing.T, o analyze.Options, e *catalogue.Entry, earlier []catalogue.DrawEntry, d catalogue.DrawEntry, kind string) bool {
	group, name, _ := strings.Cut(kind, "/")
	namespace := "n0"
	if d.Cluster {
		namespace = ""
	}
	named := object(strings.TrimPrefix(group+"/v1", "/"), name, namespace, "drawn")
	mark := "mark"
	if len(d.Keys) > 0 {
		mark = d.Keys[0]
	}
	named[d.Fields[0]] = doc{mark: "drawn"}
	ref := drawnRef(d, group, name)

	// A path that goes on from an object to another stands in that one.
	docs := []doc{named}
	path := d.Path
	for _, through := range slices.Backward(earlier) {
		rest, goesOn := strings.CutPrefix(path, through.Path+"."+through.Fields[0]+".")
		if !goesOn {
			continue
		}
		group, name, _ := strings.Cut(through.Kinds[0], "/")
		step := fmt.Sprintf("between%d", len(docs))
		between := object(group+"/v1", name, "n0", step)
		between[through.Fields[0]] = placed(strings.Split(rest, "."), ref)
		docs, path, ref = append(docs, between), through.Path, drawnRef(through, group, name)
		ref["name"] = step
	}
	for seed := range uint64(4) {
		for _, target := range append(e.Targets(o.Catalogue.Groups), "/") {
			_, target, _ = strings.Cut(target, "/")
			l := newLawful(seed, e, o.Catalogue.Groups)
			p := object(e.Group+"/"+e.Versions[0], e.Kind, "n0", "p0")
			spec := placed(strings.Split(path, "."), ref).(doc)
			p["spec"] = spec
			if target == "" {
				l.target("p0", spec, nil)
			} else {
				l.target("p0", spec, []string{target})
			}
			l.docs = append(append(l.docs, p), docs...)
			for _, got := range l.effective(t, o) {
				if slices.ContainsFunc(got.Fields, func(f plan.EffectiveField) bool {
					return strings.HasSuffix(f.Source.Object, strings.TrimSuffix("/"+namespace, "/")+"/drawn") && strings.HasSuffix(f.Path, "/"+d.Fields[0]+"/"+mark) &&
						(f.Value == "drawn" || f.Value == "<redacted>")
				}) {
					return true
				}
			}
		}
	}
	return false
}

func drawnRef(d catalogue.DrawEntry, group, kind string) doc {
	if d.Implied {
		return doc{"name": "drawn"}
	}
	return doc{"group": group, "kind": kind, "name": "drawn"}
}

// placed is a value at the end of a path, * being an item of a list. Items have what
// some lists go by.
func placed(path []string, value any) any {
	if len(path) == 0 {
		return value
	}
	below := placed(path[1:], value)
	if path[0] == "*" {
		if item, ok := below.(doc); ok && item["name"] == nil {
			item["name"], item["port"] = "item", 80
		}
		return []any{below}
	}
	return doc{path[0]: below}
}

// A short spec that names long objects many times does not grow without end, and
// each object is shown at least once.
func TestDrawsAreBounded(t *testing.T) {
	o := options(t, `[{group: acme.io, kind: LimitPolicy, versions: [v1],
		target: {refs: [{path: targetRef, form: one}], allowed: ["gw/HTTPRoute"], namespace: same},
		levels: [Route], effective: [Route], spec: {common: [targetRef], bodies: [{path: ""}]},
		merge: {levels: {algorithm: none, hops: nil}, same: {algorithm: none, tie: oldest}},
		draws: [{path: "refs.*", kinds: ["core/ConfigMap"], implied: true, fields: [data]}]}]`)
	const names, keys, times = 3, 500, 200
	l := newLawful(0, &catalogue.Entry{}, nil)
	p := object("acme.io/v1", "LimitPolicy", "n0", "p0")
	refs := []any{}
	for i := range names * times {
		refs = append(refs, doc{"name": fmt.Sprintf("m%d", i*names/(names*times))})
	}
	p["spec"] = doc{"targetRef": doc{"group": "gateway.networking.k8s.io", "kind": "HTTPRoute", "name": "r0"}, "refs": refs}
	l.docs = append(l.docs, p)
	for i := range names {
		m := object("v1", "ConfigMap", "n0", fmt.Sprintf("m%d", i))
		data := doc{}
		for k := range keys {
			data[fmt.Sprintf("k%d", k)] = "v"
		}
		m["data"] = data
		l.docs = append(l.docs, m)
	}
	got := l.effective(t, o)
	if len(got) != 1 {
		t.Fatalf("%d effective policies, want 1", len(got))
	}
	shown := map[string]int{}
	for _, f := range got[0].Fields {
		shown[f.Source.Object]++
	}
	for i := range names {
		if name := fmt.Sprintf("ConfigMap/n0/m%d", i); shown[name] < keys {
			t.Errorf("%s is shown in %d fields, want all of its %d", name, shown[name], keys)
		}
	}
	if n := len(got[0].Fields); n > 60_000 {
		t.Errorf("%d references to %d values each make %d fields", len(refs), keys, n)
	}
}
