package render

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
	"github.com/gwplan/gwplan/loader/source"
	"github.com/gwplan/gwplan/loader/tree"
)

// memory is a blob store in memory that counts what is read.
type memory struct {
	data map[string]string
	read map[string]int
}

func newMemory() *memory { return &memory{data: map[string]string{}, read: map[string]int{}} }

func (m *memory) Each(ids []string, f func(string, []byte, *loader.Problem)) error {
	for _, id := range ids {
		data, ok := m.data[id]
		if !ok {
			f(id, nil, &loader.Problem{Severity: loader.Warning, Code: "limit-size", Message: "the file is too large"})
			continue
		}
		m.read[id]++
		f(id, []byte(data), nil)
	}
	return nil
}

func (*memory) Stored() int64 { return 0 }

func (*memory) Close() error { return nil }

// tree makes a tree of a txtar archive.
func (m *memory) tree(archive string) *source.Tree {
	t := &source.Tree{Revision: "test", Blobs: m}
	for _, f := range txtar.Parse([]byte(archive)).Files {
		sum := sha256.Sum256(f.Data)
		id := hex.EncodeToString(sum[:])
		m.data[id] = string(f.Data)
		t.Entries = append(t.Entries, source.Entry{Path: f.Name, ID: id})
	}
	slices.SortFunc(t.Entries, func(a, b source.Entry) int { return strings.Compare(a.Path, b.Path) })
	return t
}

// relevance keeps Gateway API, policies and what the tests look at.
func relevance(group, kind string) manifest.Relevance {
	switch {
	case group == "apps" || group == "batch":
		return manifest.Irrelevant
	case strings.HasPrefix(group, "gateway.networking."), group == "", group == tree.CrdGroup, group == "helm.toolkit.fluxcd.io":
		return manifest.Needed
	case group == tree.FluxGroup, group == tree.FluxSourceGroup, group == tree.ArgoGroup:
		return manifest.Irrelevant
	}
	return manifest.Undecided
}

func options() Options {
	return Options{
		Manifest: manifest.Options{Relevance: relevance},
		ClusterScoped: func(_, kind string) bool {
			return kind == "GatewayClass" || kind == "Namespace" || kind == tree.CrdKind
		},
	}
}

// render renders one archive.
func render(t *testing.T, archive string, opts Options) *loader.Snapshot {
	t.Helper()
	return renderAll(t, opts, archive)[0]
}

func renderAll(t *testing.T, opts Options, archives ...string) []*loader.Snapshot {
	t.Helper()
	m := newMemory()
	var trees []*source.Tree
	for _, a := range archives {
		trees = append(trees, m.tree(a))
	}
	out, err := Snapshots(context.Background(), trees, opts)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// summary writes environments and their objects, a line each.
func summary(s *loader.Snapshot) string {
	var b strings.Builder
	for _, e := range s.Environments {
		fmt.Fprintf(&b, "%s", e.Name)
		if e.Incomplete {
			b.WriteString(" incomplete")
		}
		b.WriteString("\n")
		for _, o := range e.Objects {
			fmt.Fprintf(&b, "  %s %s", o.ID, o.First())
			if o.NamespaceAssumed {
				b.WriteString(" assumed")
			}
			if o.Context {
				b.WriteString(" context")
			}
			b.WriteString("\n")
		}
		for _, d := range e.Duplicates {
			fmt.Fprintf(&b, "  duplicate %s %s, kept %s\n", d.Dropped.ID, d.Dropped.First(), d.Kept.First())
		}
		for _, g := range e.Gaps {
			fmt.Fprintf(&b, "  gap %s %s\n", g, g.Position)
		}
	}
	for _, p := range s.Problems {
		fmt.Fprintf(&b, "%s %s %s %v\n", p.Severity, p.Code, p.Position, p.Environments)
	}
	return b.String()
}

// object finds one by its node.
func object(t *testing.T, s *loader.Snapshot, node string) *loader.Object {
	t.Helper()
	for _, e := range s.Environments {
		for _, o := range e.Objects {
			if o.ID.String() == node {
				return o
			}
		}
	}
	t.Fatalf("no object %s in\n%s", node, summary(s))
	return nil
}

func equalText(t *testing.T, got, want string) {
	t.Helper()
	if got = strings.TrimSpace(got); got != strings.TrimSpace(want) {
		t.Errorf("got\n%s\nwant\n%s", got, strings.TrimSpace(want))
	}
}
