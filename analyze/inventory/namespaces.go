package inventory

import (
	"maps"
	"slices"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/loader"
)

// Namespaces holds namespace labels and evaluates namespace selectors.
type Namespaces struct {
	objects *Objects
	// configured holds the labels that the caller supplies, by namespace.
	configured map[string]map[string]string
	// managed holds the labels that deployers give the namespaces of their objects, by namespace.
	managed map[string]managed
	// labels caches the results of NamespaceLabels.
	labels   map[string]Labels
	selected map[selection]fact.Fact
	// used lists the namespaces of the input. It is nil until first use.
	used []string
}

type selection struct {
	selector  *loader.Value
	namespace string
}

// NamespaceLabels returns the known labels of a namespace. They always include the name label that
// the API server sets.
func (n *Namespaces) NamespaceLabels(name string) Labels {
	if l, ok := n.labels[name]; ok {
		return l
	}
	id := loader.ID{Kind: "Namespace", Name: name}
	l := Labels{Values: map[string]string{}}
	given := n.managed[name]
	if o := n.objects.Object(id); o != nil {
		maps.Copy(l.Values, o.Labels())
		if o.Deployer != nil && given.by[o.Deployer.ID] {
			given.labels = nil // what declares the Namespace itself does not create it
		}
	} else if configured, ok := n.configured[name]; ok {
		for k, v := range configured {
			l.Values[k] = v
		}
	} else {
		l.Partial = n.objects.ExistsOutside(id) == fact.Unknown
	}
	for key, value := range given.labels {
		if had, has := l.Values[key]; given.disputed[key] || has && had != value {
			delete(l.Values, key) // which one it is depends on who is last
			l.Partial = true
		} else {
			l.Values[key] = value
		}
	}
	l.Values[nameLabel] = name
	n.labels[name] = l
	return l
}

// managed are the labels that deployers give a namespace that they create for their objects. It may have others, too.
type managed struct {
	labels map[string]string
	// disputed are the labels to which two deployers give different values.
	disputed map[string]bool
	by       map[loader.ID]bool
}

func managedLabels(env *loader.Environment) map[string]managed {
	out := map[string]managed{}
	seen := map[*loader.Deployer]bool{}
	for _, o := range env.Objects {
		for d := o.Deployer; d != nil && !seen[d]; d = d.Parent {
			seen[d] = true
			if d.Namespace == "" {
				continue
			}
			m, known := out[d.Namespace]
			if !known {
				m = managed{map[string]string{}, map[string]bool{}, map[loader.ID]bool{}}
				out[d.Namespace] = m
			}
			m.by[d.ID] = true
			for key, value := range d.Labels {
				if had, has := m.labels[key]; has && had != value {
					m.disputed[key] = true
				}
				m.labels[key] = value
			}
		}
	}
	return out
}

// SameManagedLabels reports whether deployers give namespaces the same labels in two environments.
func SameManagedLabels(a, b *loader.Environment) bool {
	return maps.EqualFunc(managedLabels(a), managedLabels(b), func(x, y managed) bool {
		return maps.Equal(x.labels, y.labels) && maps.Equal(x.disputed, y.disputed)
	})
}

// Selects reports whether a `namespaces` stanza allows a namespace by its labels.
func (n *Namespaces) Selects(stanza *loader.Value, namespace string) fact.Fact {
	if stanza.Str("from") != "Selector" || stanza.Get("selector") == nil {
		return fact.False
	}
	return n.selects(stanza.Get("selector"), namespace)
}

// selects evaluates a namespace selector, once for each namespace.
func (n *Namespaces) selects(selector *loader.Value, namespace string) fact.Fact {
	key := selection{selector, namespace}
	if f, ok := n.selected[key]; ok {
		return f
	}
	f := n.NamespaceLabels(namespace).Matches(selector)
	if loader.Placeholder(namespace) {
		f = fact.Unknown
	}
	n.selected[key] = f
	return f
}

// SelectsNothing reports whether a `namespaces` stanza is known to select no namespace.
func (n *Namespaces) SelectsNothing(stanza *loader.Value) fact.Fact {
	if stanza.Str("from") != "Selector" {
		return fact.False
	}
	selector := stanza.Get("selector")
	if selector == nil {
		return fact.True
	}
	selected := fact.False
	for _, namespace := range n.inhabited() {
		selected = selected.Or(n.selects(selector, namespace))
	}
	if selected == fact.False && n.objects.ExistsOutside(loader.ID{Kind: "Namespace", Name: "any"}) != fact.False {
		return fact.Unknown // other namespaces may exist outside the input
	}
	return selected.Not()
}

// Inhabited reports whether the input declares a namespace or has an object of it.
func (n *Namespaces) Inhabited(namespace string) bool {
	_, found := slices.BinarySearch(n.inhabited(), namespace)
	return found
}

// inhabited returns the namespaces that are declared or that contain an object.
func (n *Namespaces) inhabited() []string {
	if n.used == nil {
		seen := map[string]bool{}
		for id := range n.objects.byID {
			if id.Group == "" && id.Kind == "Namespace" {
				seen[id.Name] = true
			} else if id.Namespace != "" {
				seen[id.Namespace] = true
			}
		}
		n.used = slices.Sorted(maps.Keys(seen))
	}
	return n.used
}

// AllowedFrom evaluates a `namespaces` stanza (of allowedRoutes or allowedListeners). If `from` is
// not set, byDefault applies.
func (n *Namespaces) AllowedFrom(stanza *loader.Value, byDefault, own, namespace string) fact.Fact {
	from := stanza.Str("from")
	if from == "" {
		from = byDefault
	}
	switch from {
	case "All":
		return fact.True
	case "Same":
		if loader.Placeholder(own) || loader.Placeholder(namespace) {
			return fact.Of(own == namespace).Or(fact.Unknown)
		}
		return fact.Of(own == namespace)
	case "Selector":
		return n.selects(stanza.Get("selector"), namespace)
	}
	if loader.Placeholder(from) {
		return fact.Unknown
	}
	return fact.False
}
