package exposure_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze"
	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/selection"
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
	"github.com/gwplan/gwplan/loader/render"
	"github.com/gwplan/gwplan/loader/schema"
	"github.com/gwplan/gwplan/loader/source"
)

// memory holds the contents of two trees.
type memory map[string]string

func (m memory) Each(ids []string, f func(id string, data []byte, missing *loader.Problem)) error {
	for _, id := range ids {
		f(id, []byte(m[id]), nil)
	}
	return nil
}

func (m memory) Stored() int64 { return 0 }

func (m memory) Close() error { return nil }

func (m memory) tree(revision string, files map[string]string) *source.Tree {
	t := &source.Tree{Revision: revision, Blobs: m}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		id := fmt.Sprintf("%x", sha256.Sum256([]byte(files[path])))
		m[id] = files[path]
		t.Entries = append(t.Entries, source.Entry{Path: path, ID: id})
	}
	return t
}

// compared is a plan with the data that is needed to check it.
type compared struct {
	*plan.Plan
	base    *loader.Snapshot
	options analyze.Options
	hunks   func(file string) []loader.Hunk
	partial bool
}

// compare computes the plan of two worlds, like `gwplan diff` for the text of their files.
func compare(t testing.TB, before, after *world) compared {
	t.Helper()
	known, err := catalogue.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	m := memory{}
	base, head := m.tree("base", before.files()), m.tree("head", after.files())
	scopes := map[string]bool{"GatewayClass": true, "Namespace": true}
	for _, e := range known.Entries {
		scopes[e.Kind] = scopes[e.Kind] || e.Scope == "Cluster"
	}
	snapshots, err := render.Snapshots(context.Background(), []*source.Tree{base, head}, render.Options{
		Manifest:      manifest.Options{Relevance: func(string, string) manifest.Relevance { return manifest.Needed }},
		Schemas:       schema.Builtin(),
		ClusterScoped: func(_, kind string) bool { return scopes[kind] },
	})
	if err != nil {
		t.Fatal(err)
	}
	hunks := source.Hunks(base, head)
	options := analyze.Options{Catalogue: known, Complete: !before.partial, Hunks: hunks, Changed: source.Changed(base, head)}
	return compared{analyze.Compare(snapshots[0], snapshots[1], options), snapshots[0], options, hunks, before.partial}
}

// idle reports whether the policy of base has no effect at its target, so that nothing can be
// loosened: not every target of a kind supports every field.
func (c compared) idle() bool {
	if c.partial {
		return false
	}
	for _, e := range analyze.ListPolicies(c.base, selection.Selection{}, c.options).Environments {
		for _, p := range e.Policies {
			return p.Enforcement == "none"
		}
	}
	return false
}

// alarms returns the new findings of a plan that are at least warnings.
func (c compared) alarms() []plan.Finding {
	var out []plan.Finding
	for _, e := range c.Environments {
		for _, f := range e.Findings {
			if f.State == "new" && f.Severity.AtLeast(plan.Warning) {
				out = append(out, f)
			}
		}
	}
	return out
}

// says checks the plan of a loosening. It returns what is wrong with the plan, or "".
func (c compared) says(least plan.Severity) string {
	found := c.alarms()
	if !slices.ContainsFunc(found, func(f plan.Finding) bool { return f.Severity.AtLeast(least) }) {
		return "not found as " + string(least)
	}
	if strings.HasPrefix(c.Summary.Headline, "no effective change") {
		return "found, and the headline says that nothing changes"
	}
	if !slices.ContainsFunc(found, func(f plan.Finding) bool { return f.Severity.AtLeast(least) && c.atChange(f) }) {
		return "found, but at no line of the change"
	}
	return ""
}

// exposes reports whether requests are told to be less protected.
func (c compared) exposes() bool {
	return slices.ContainsFunc(c.Environments, func(e plan.Environment) bool {
		return slices.ContainsFunc(e.Requests, func(r plan.RequestChange) bool { return r.Effect() == plan.RequestsExposed })
	})
}

// fails reports whether requests are told to get no answer any more.
func (c compared) fails() bool {
	return slices.ContainsFunc(c.Environments, func(e plan.Environment) bool {
		return slices.ContainsFunc(e.Requests, func(r plan.RequestChange) bool { return r.Effect() == plan.RequestsLost })
	})
}

// loses reports whether protection is lost, which requests through the target lose then.
func (c compared) loses() bool {
	return slices.ContainsFunc(c.alarms(), func(f plan.Finding) bool {
		return f.Severity == plan.Error && (f.Rule == "protection-lost" || f.Rule == "requests-exposed") && !strings.Contains(f.Title, " may ")
	})
}

// atChange reports whether a finding is at a line that the change touches. A related line in
// base counts, too, if its file is deleted.
func (c compared) atChange(f plan.Finding) bool {
	return slices.ContainsFunc(c.hunks(f.File), func(h loader.Hunk) bool {
		if f.Side == "base" {
			return h.InBase(f.Line)
		}
		return h.InHead(f.Line) || h.HeadLines == 0 && h.Line() == f.Line
	}) || slices.ContainsFunc(f.Related, func(r plan.Related) bool {
		// A file that is deleted as a whole has no line in head.
		hunks := c.hunks(r.File)
		return r.Side == "base" && len(hunks) == 1 && hunks[0].Head == 0 && hunks[0].InBase(r.Line)
	})
}

// listing returns the content of a plan as text for a test message.
func (c compared) listing() string {
	var b strings.Builder
	fmt.Fprintln(&b, c.Summary.Headline)
	for _, e := range c.Environments {
		for _, f := range e.Findings {
			fmt.Fprintf(&b, "%s %s:%d%s: %s: %s [%s]\n", f.State, f.File, f.Line, f.Side, f.Severity, f.Message, f.Rule)
		}
	}
	return b.String()
}
