package network_test

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/analyze/network"
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
)

// TestVectors holds the truth tables in testdata/vectors. Each begins with the rule that it shows and with its
// source; world.yaml is joined to pods.yaml of the folder.
func TestVectors(t *testing.T) {
	files, err := filepath.Glob("testdata/vectors/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no vectors: %v", err)
	}
	for _, file := range files {
		pods := ""
		if text := string(read(t, file)); strings.Contains(text, "+pods\n") {
			pods = "---\n" + string(read(t, "testdata/vectors/pods.yaml"))
		}
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			text := map[string]string{}
			for _, f := range archive.Files {
				text[f.Name] = string(f.Data)
			}
			side := sideOf(t, text["world.yaml"]+pods)
			w := network.New(side)
			asserted := 0
			for _, c := range casesOf(t, w, side, text["expect.txt"]) {
				if c.want == "" {
					continue
				}
				asserted++
				got := w.Connect(c.from.at, c.to.at, c.port)
				if want := verdicts[c.want]; got.Allowed != want {
					t.Errorf("%s to %s, %s: %s, want %s", c.from.name, c.to.name, c.port, got.Allowed, c.want)
				}
				if reached := w.Allows(c.from.at, c.to.at, c.port); reached != got.Allowed {
					t.Errorf("%s to %s, %s: all connections at once say %s, one alone %s", c.from.name, c.to.name, c.port, reached, got.Allowed)
				}
			}
			if asserted == 0 {
				t.Error("the table asserts nothing")
			}
		})
	}
}

var verdicts = map[string]fact.Fact{"allow": fact.True, "deny": fact.False, "unknown": fact.Unknown}

func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// sideOf reads manifests.
func sideOf(t *testing.T, text string) network.Side {
	t.Helper()
	file := manifest.Decode([]byte(text), manifest.Options{})
	for _, p := range file.Problems {
		t.Fatalf("%s: %s", p.Position, p.Message)
	}
	names := namespaces{}
	s := network.Side{Namespaces: names, Complete: true}
	for _, d := range file.Documents {
		o := &loader.Object{ID: loader.ID{Group: d.Group, Kind: d.Kind, Namespace: d.Namespace, Name: d.Name}, Version: d.Version, Root: d.Root, Files: []string{"world.yaml"}}
		o.Digest = loader.Digest(o.ID, o.Root)
		if d.Group == "" && d.Kind == "Namespace" {
			names[d.Name] = o.Labels()
			s.Declared = append(s.Declared, o)
			continue
		}
		if d.Group == "" && d.Kind == "Service" {
			s.Services = append(s.Services, o)
			continue
		}
		s.Objects = append(s.Objects, o)
	}
	slices.SortFunc(s.Objects, func(a, b *loader.Object) int { return a.ID.Compare(b.ID) })
	return s
}

// namespaces are the labels of all namespaces.
type namespaces map[string]map[string]string

func (n namespaces) NamespaceLabels(name string) inventory.Labels {
	values := map[string]string{"kubernetes.io/metadata.name": name}
	for k, v := range n[name] {
		values[k] = v
	}
	_, known := n[name]
	return inventory.Labels{Values: values, Partial: !known}
}

// connection is one row of a truth table.
type connection struct {
	from, to end
	port     network.Range
	want     string
}

type end struct {
	name string
	at   int
}

// casesOf reads the lines of a truth table, of which the later ones win.
func casesOf(t *testing.T, w *network.World, s network.Side, text string) []connection {
	t.Helper()
	var ends []end
	ports := map[network.Range]bool{}
	for _, o := range s.Objects {
		if !network.Workload(o.ID.Group, o.ID.Kind) {
			continue
		}
		at, ok := w.Workload(o.ID)
		if !ok {
			t.Fatalf("%s is no endpoint", o.ID)
		}
		ends = append(ends, end{o.ID.Namespace + "/" + o.ID.Name, at})
		for _, c := range o.Spec().List("containers") {
			for _, p := range c.List("ports") {
				ports[portOf(t, p.Get("containerPort").Text+"/"+cmpOr(p.Str("protocol"), "TCP"))] = true
			}
		}
	}
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for _, line := range lines {
		words := strings.Fields(line)
		if len(words) != 4 {
			continue
		}
		if number, _, _ := strings.Cut(words[2], "/"); number != "*" {
			if !strings.Contains(words[2], "*") {
				ports[portOf(t, words[2])] = true
			}
		}
		for _, name := range words[:2] {
			if name != "*" && !strings.Contains(name, "/") && !slices.ContainsFunc(ends, func(e end) bool { return e.name == name }) {
				ends = append(ends, end{name, outside(t, w, name)})
			}
		}
	}
	var out []connection
	for _, from := range ends {
		for _, to := range ends {
			for port := range ports {
				c := connection{from: from, to: to, port: port}
				for _, line := range lines {
					c.apply(t, strings.Fields(line))
				}
				if strings.Contains(from.name, "/") || strings.Contains(to.name, "/") {
					out = append(out, c)
				}
			}
		}
	}
	return out
}

func cmpOr(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func outside(t *testing.T, w *network.World, name string) int {
	t.Helper()
	at, ok := w.Outside(name)
	if !ok {
		t.Fatalf("%q is no endpoint", name)
	}
	return at
}

func (c *connection) apply(t *testing.T, words []string) {
	t.Helper()
	switch {
	case len(words) == 0 || strings.HasPrefix(words[0], "#"):
	case len(words) == 2 && words[0] == "default":
		if c.want = words[1]; c.want == "unasserted" {
			c.want = ""
		}
	case len(words) != 4:
		t.Fatalf("cannot read %q", words)
	case matchEnd(words[0], c.from.name) && matchEnd(words[1], c.to.name) && matchPort(words[2], c.port):
		if c.want = words[3]; c.want == "unasserted" {
			c.want = ""
		}
	}
}

func matchEnd(pattern, name string) bool {
	if pattern == "*" || pattern == name {
		return true
	}
	pn, pp, ok := strings.Cut(pattern, "/")
	n, p, is := strings.Cut(name, "/")
	return ok && is && (pn == "*" || pn == n) && (pp == "*" || pp == p)
}

func matchPort(pattern string, r network.Range) bool {
	number, protocol, ok := strings.Cut(pattern, "/")
	if !ok {
		return pattern == "*"
	}
	return (number == "*" || number == strconv.Itoa(r.From)) && (protocol == "*" || protocol == r.Protocol.String())
}

func portOf(t *testing.T, text string) network.Range {
	t.Helper()
	number, protocol, _ := strings.Cut(text, "/")
	n, err := strconv.Atoi(number)
	p, ok := network.ParseProtocol(protocol)
	if err != nil || !ok {
		t.Fatalf("%q is not a port", text)
	}
	return network.Range{Protocol: p, From: n, To: n}
}
