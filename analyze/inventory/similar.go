package inventory

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
)

// Names suggests the existing object that a non-existent name probably means.
type Names struct {
	objects    *Objects
	namespaces *Namespaces
	// similar caches the results of Similar.
	similar map[loader.ID]string
	// byKind holds the names of objects by kind and namespace. It is nil until first use.
	byKind map[loader.ID][]string
	// namesakes holds the objects by kind and name. It is nil until first use.
	namesakes map[loader.ID][]loader.ID
}

// Similar returns the name of an object of the same kind and namespace with almost the same
// spelling, or "". A reference that differs by one or two letters is a mistake and not a reference
// to an object defined elsewhere.
func (n *Names) Similar(id loader.ID) string {
	if known, ok := n.similar[id]; ok {
		return known
	}
	n.similar[id] = n.closest(id)
	return n.similar[id]
}

// Kin returns a similarly spelled name or, if there is none, the name of the only object of the
// same kind and namespace whose name starts with the given name or is a start of it, or "". Use it
// for a name that is known not to exist.
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

// Namesake returns the only object of the same kind and name in another namespace, or the zero value.
func (n *Names) Namesake(id loader.ID) loader.ID {
	if n.namesakes == nil {
		n.namesakes = map[loader.ID][]loader.ID{}
		for other := range n.objects.byID {
			key := loader.ID{Group: other.Group, Kind: other.Kind, Name: other.Name}
			n.namesakes[key] = append(n.namesakes[key], other)
		}
	}
	found := n.namesakes[loader.ID{Group: id.Group, Kind: id.Kind, Name: id.Name}]
	if len(found) != 1 || found[0].Namespace == id.Namespace {
		return loader.ID{}
	}
	return found[0]
}

// gateway returns the only Gateway that a reference to a missing Gateway probably means, with its
// namespace if that differs: routes of all namespaces reference the few Gateways of a cluster. It
// has the same name, and its namespace is spelled alike or the referenced namespace is in the
// input. Otherwise its name is longer or shorter by a word.
func (n *Names) gateway(id loader.ID) string {
	var namesakes, kin []loader.ID
	if len(n.objects.makers.mayRender(id)) > 0 || slices.ContainsFunc(n.objects.gaps, func(gap loader.Gap) bool { return gap.Name == id.Name }) {
		return "" // an object of this name may be unrendered
	}
	// A Gateway with another name may come from any unrendered source of the namespace.
	bare := !n.objects.makers.rendersIn(id.Namespace) && !slices.ContainsFunc(n.objects.gaps, func(gap loader.Gap) bool { return gap.Namespace == id.Namespace })
	own := n.named(id)
	for other := range n.objects.byID {
		switch {
		case other.Group != loader.GatewayGroup || other.Kind != "Gateway":
		case other.Namespace == id.Namespace && bare && related(other.Name, id.Name):
			kin = append(kin, other)
		case other.Namespace == id.Namespace:
		case other.Name == id.Name && (n.namespaces.Inhabited(id.Namespace) || shortened(other.Namespace, id.Namespace) || spelling.Similar(id.Namespace, []string{other.Namespace}) != ""):
			namesakes = append(namesakes, other)
		case bare && len(own) == 0 && n.namespaces.Inhabited(id.Namespace) && related(other.Name, id.Name):
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

// related reports whether one name equals the other plus a word in front or behind.
func related(a, b string) bool {
	if len(a) < len(b) {
		a, b = b, a
	}
	return b != "" && (strings.HasPrefix(a, b+"-") || strings.HasSuffix(a, "-"+b))
}

// shortened reports whether one name is a prefix of the other, such as network and networking.
func shortened(a, b string) bool {
	if len(a) < len(b) {
		a, b = b, a
	}
	return len(b) > spelling.MaxTypo(a)+1 && strings.HasPrefix(a, b) && !strings.ContainsAny(a[len(b):], "0123456789")
}

// named returns the names of a kind in a namespace, or none if there are too many.
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
