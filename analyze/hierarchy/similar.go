package hierarchy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// Similar is the name of an object of the same kind and namespace that is
// written almost alike, or "": a reference that is off by a letter or two is a
// mistake and not an object that lives elsewhere.
func (g *Graph) Similar(id loader.ID) string {
	if known, ok := g.similar[id]; ok {
		return known
	}
	g.similar[id] = g.closest(id)
	return g.similar[id]
}

// Kin is the name of the one object of the same kind and namespace of which the name begins
// with another one, or the other way round, or "": what somebody may have meant by a name
// that is known not to exist.
func (g *Graph) Kin(id loader.ID) string {
	if similar := g.Similar(id); similar != "" {
		return similar
	}
	found := ""
	for _, other := range g.named(id) {
		if other != id.Name && (strings.HasPrefix(id.Name, other+"-") || strings.HasPrefix(other, id.Name+"-")) {
			if found != "" {
				return ""
			}
			found = other
		}
	}
	return found
}

// SimilarName is the one of some names that is written almost like another one, or "".
func SimilarName(name string, names []string) string {
	if len(name) > maxCompared || len(names) > maxNamed || slices.Contains(names, name) {
		return ""
	}
	best, closest := "", maxTypo(name)+1
	for _, other := range names {
		if d := len(other) - len(name); d > maxTypo(name) || -d > maxTypo(name) {
			continue
		}
		if d := typo(name, other); d < closest || d == closest && other < best {
			best, closest = other, d
		}
	}
	if closest > maxTypo(name) {
		return ""
	}
	return best
}

// meantHostname is the hostname of a listener, or one that its wildcard stands for, that one
// of a route is written almost like, or "".
func meantHostname(route *Node, of string) string {
	for _, v := range route.Value.List("hostnames") {
		near := of
		if suffix, wildcard := strings.CutPrefix(of, "*"); wildcard {
			label, _, _ := strings.Cut(v.Text, ".")
			near = label + suffix
		}
		if meant := SimilarName(v.Text, []string{near}); meant != "" {
			return meant
		}
	}
	return ""
}

// Meant is the end of a message about a name that is none: what it may have been.
func Meant(name string) string {
	if name == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", name)
}

func (g *Graph) closest(id loader.ID) string {
	if similar := SimilarName(id.Name, g.named(id)); similar != "" || id.Group != Group || id.Kind != "Gateway" {
		return similar
	}
	return g.gateway(id)
}

// gateway is the one Gateway that somebody may have meant by another one, with its namespace
// where that differs: routes of all namespaces name the few Gateways of a cluster. It has the
// same name in a namespace that is written alike, or while the namespace of the reference is
// one of the input; or it stands in the namespace and has a longer or shorter name.
func (g *Graph) gateway(id loader.ID) string {
	var namesakes, kin []loader.ID
	if g.mayRender(id) || slices.ContainsFunc(g.gaps, func(gap loader.Gap) bool { return gap.Name == id.Name }) {
		return "" // something of its name is not rendered
	}
	// Of another name it may come from anything in its namespace.
	bare := len(g.producers[id.Namespace]) == 0 && !slices.ContainsFunc(g.gaps, func(gap loader.Gap) bool { return gap.Namespace == id.Namespace })
	own := g.named(id)
	for other := range g.objects {
		switch {
		case other.Group != Group || other.Kind != "Gateway":
		case other.Namespace == id.Namespace && bare && related(other.Name, id.Name):
			kin = append(kin, other)
		case other.Namespace == id.Namespace:
		case other.Name == id.Name && (slices.Contains(g.inhabited(), id.Namespace) || shortened(other.Namespace, id.Namespace) || SimilarName(id.Namespace, []string{other.Namespace}) != ""):
			namesakes = append(namesakes, other)
		case bare && len(own) == 0 && slices.Contains(g.inhabited(), id.Namespace) && related(other.Name, id.Name):
			kin = append(kin, other)
		}
	}
	for _, found := range [][]loader.ID{namesakes, kin} {
		if len(found) != 1 {
			continue
		}
		if found[0].Namespace == id.Namespace {
			return found[0].Name
		}
		return found[0].Namespace + "/" + found[0].Name
	}
	return ""
}

// related says whether one name is the other with a word in front or behind.
func related(a, b string) bool {
	if len(a) < len(b) {
		a, b = b, a
	}
	return b != "" && (strings.HasPrefix(a, b+"-") || strings.HasSuffix(a, "-"+b))
}

// shortened says whether one name is the beginning of the other: network, networking.
func shortened(a, b string) bool {
	if len(a) < len(b) {
		a, b = b, a
	}
	return len(b) > maxTypo(a)+1 && strings.HasPrefix(a, b) && !strings.ContainsAny(a[len(b):], "0123456789")
}

// maxCompared and maxNamed bound the search: a name is at most 63 letters in
// most kinds, and among very many names there is always a similar one.
const (
	maxCompared = 63
	maxNamed    = 1000
)

// named are the names of a kind in a namespace, none if there are too many.
func (g *Graph) named(id loader.ID) []string {
	if g.names == nil {
		g.names = map[loader.ID][]string{}
		for other := range g.objects {
			key := loader.ID{Group: other.Group, Kind: other.Kind, Namespace: other.Namespace}
			g.names[key] = append(g.names[key], other.Name)
		}
	}
	names := g.names[loader.ID{Group: id.Group, Kind: id.Kind, Namespace: id.Namespace}]
	if len(names) > maxNamed {
		return nil
	}
	return names
}

// maxTypo is how many letters may differ in a name of some length.
func maxTypo(name string) int {
	if len(name) < 6 {
		return 1
	}
	return 2
}

// typo is how many letters a slip of the pen changed, many if it was none: names
// that differ by a digit, or by two letters in place of two others, are two names
// ("internal", "external"), unless the two only changed places.
func typo(a, b string) int {
	d := distance(a, b)
	if d == 0 || d > 2 {
		return d
	}
	from := 0
	for from < min(len(a), len(b)) && a[from] == b[from] {
		from++
	}
	cut := 0
	for cut < min(len(a), len(b))-from && a[len(a)-1-cut] == b[len(b)-1-cut] {
		cut++
	}
	x, y := a[from:len(a)-cut], b[from:len(b)-cut]
	swapped := len(x) == 2 && len(y) == 2 && x[0] == y[1] && x[1] == y[0]
	if strings.ContainsAny(x+y, "0123456789") || d == 2 && len(a) == len(b) && !swapped {
		return maxCompared
	}
	return d
}

// distance is the Levenshtein distance of two names.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// SimilarKind is the kind of a group that is written almost like another one
// that the group does not have, or "".
func SimilarKind(group, name string) string {
	best, closest := "", 3
	known := []string{}
	for i := range kinds {
		if kinds[i].group == group {
			known = append(known, kinds[i].name)
		}
	}
	if group == Group {
		known = append(known, "ReferenceGrant", "BackendTLSPolicy")
	}
	for _, kind := range known {
		switch d := distance(kind, name); {
		case d == 0:
			return ""
		case strings.EqualFold(kind, name):
			return kind
		case d < closest:
			best, closest = kind, d
		}
	}
	return best
}
