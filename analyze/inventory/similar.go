package inventory

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
)

// Names finds the object that was probably meant by a name that does not exist.
type Names struct {
	objects    *Objects
	namespaces *Namespaces
	// similar remembers what Similar returned.
	similar map[loader.ID]string
	// byKind are the names of objects by kind and namespace, nil until they are first needed.
	byKind map[loader.ID][]string
}

// Similar is the name of an object of the same kind and namespace that is
// written almost alike, or "": a reference that is off by a letter or two is a
// mistake and not an object that lives elsewhere.
func (n *Names) Similar(id loader.ID) string {
	if known, ok := n.similar[id]; ok {
		return known
	}
	n.similar[id] = n.closest(id)
	return n.similar[id]
}

// Kin is the name of the one object of the same kind and namespace of which the name begins
// with another one, or the other way round, or "": what somebody may have meant by a name
// that is known not to exist.
func (n *Names) Kin(id loader.ID) string {
	if similar := n.Similar(id); similar != "" {
		return similar
	}
	found := ""
	for _, other := range n.named(id) {
		if other != id.Name && (strings.HasPrefix(id.Name, other+"-") || strings.HasPrefix(other, id.Name+"-")) {
			if found != "" {
				return ""
			}
			found = other
		}
	}
	return found
}

func (n *Names) closest(id loader.ID) string {
	if similar := spelling.Similar(id.Name, n.named(id)); similar != "" || id.Group != loader.GatewayGroup || id.Kind != "Gateway" {
		return similar
	}
	return n.gateway(id)
}

// gateway is the one Gateway that somebody may have meant by another one, with its namespace
// where that differs: routes of all namespaces name the few Gateways of a cluster. It has the
// same name in a namespace that is written alike, or while the namespace of the reference is
// one of the input; or it stands in the namespace and has a longer or shorter name.
func (n *Names) gateway(id loader.ID) string {
	var namesakes, kin []loader.ID
	if n.objects.makers.mayRender(id) || slices.ContainsFunc(n.objects.gaps, func(gap loader.Gap) bool { return gap.Name == id.Name }) {
		return "" // something of its name is not rendered
	}
	// Of another name it may come from anything in its namespace.
	bare := !n.objects.makers.rendersIn(id.Namespace) && !slices.ContainsFunc(n.objects.gaps, func(gap loader.Gap) bool { return gap.Namespace == id.Namespace })
	own := n.named(id)
	for other := range n.objects.byID {
		switch {
		case other.Group != loader.GatewayGroup || other.Kind != "Gateway":
		case other.Namespace == id.Namespace && bare && related(other.Name, id.Name):
			kin = append(kin, other)
		case other.Namespace == id.Namespace:
		case other.Name == id.Name && (slices.Contains(n.namespaces.inhabited(), id.Namespace) || shortened(other.Namespace, id.Namespace) || spelling.Similar(id.Namespace, []string{other.Namespace}) != ""):
			namesakes = append(namesakes, other)
		case bare && len(own) == 0 && slices.Contains(n.namespaces.inhabited(), id.Namespace) && related(other.Name, id.Name):
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
	return len(b) > spelling.MaxTypo(a)+1 && strings.HasPrefix(a, b) && !strings.ContainsAny(a[len(b):], "0123456789")
}

// named are the names of a kind in a namespace, none if there are too many.
func (n *Names) named(id loader.ID) []string {
	if n.byKind == nil {
		n.byKind = map[loader.ID][]string{}
		for other := range n.objects.byID {
			key := loader.ID{Group: other.Group, Kind: other.Kind, Namespace: other.Namespace}
			n.byKind[key] = append(n.byKind[key], other.Name)
		}
	}
	names := n.byKind[loader.ID{Group: id.Group, Kind: id.Kind, Namespace: id.Namespace}]
	if len(names) > spelling.MaxNamed {
		return nil
	}
	return names
}
