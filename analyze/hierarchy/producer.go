package hierarchy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// producers are kinds that make objects which are not in Git: their presence
// says why something is missing. One without a namespace is made in many.
var producers = map[loader.ID]func(*loader.Object) loader.ID{
	{Group: "cert-manager.io", Kind: "Certificate"}:              secretAt("secretName"),
	{Group: "external-secrets.io", Kind: "ExternalSecret"}:       secretAt("target", "name"),
	{Group: "bitnami.com", Kind: "SealedSecret"}:                 secretAt(),
	{Group: "onepassword.com", Kind: "OnePasswordItem"}:          secretAt(),
	{Group: "secrets.hashicorp.com", Kind: "VaultStaticSecret"}:  secretAt("destination", "name"),
	{Group: "secrets.hashicorp.com", Kind: "VaultDynamicSecret"}: secretAt("destination", "name"),
	{Group: "secrets.hashicorp.com", Kind: "VaultPKISecret"}:     secretAt("destination", "name"),
	{Group: "external-secrets.io", Kind: "ClusterExternalSecret"}: func(o *loader.Object) loader.ID {
		return loader.ID{Kind: "Secret", Name: or(
			o.Spec().Str("externalSecretSpec", "target", "name"), o.Spec().Str("externalSecretName"), o.ID.Name)}
	},
	{Group: "trust.cert-manager.io", Kind: "Bundle"}: func(o *loader.Object) loader.ID {
		return loader.ID{Kind: "ConfigMap", Name: o.ID.Name}
	},
}

// secretAt is a Secret beside its producer, of the name at a path, else of the
// producer's own.
func secretAt(path ...string) func(*loader.Object) loader.ID {
	return func(o *loader.Object) loader.ID {
		name := o.ID.Name
		if len(path) > 0 {
			name = or(o.Spec().Str(path...), name)
		}
		return loader.ID{Kind: "Secret", Namespace: o.ID.Namespace, Name: name}
	}
}

// maker is what in the input makes an object, if anything does.
func (g *Graph) maker(id loader.ID) (loader.ID, bool) {
	if by, ok := g.made[id]; ok {
		return by, true
	}
	id.Namespace = ""
	by, ok := g.made[id]
	return by, ok
}

// know notes what an object tells of others: that its kind exists, and what it
// makes.
func (g *Graph) know(o *loader.Object) {
	g.known[loader.ID{Group: o.ID.Group, Kind: o.ID.Kind}] = true
	switch o.ID.Kind {
	case "CustomResourceDefinition":
		g.known[loader.ID{Group: o.Spec().Str("group"), Kind: o.Spec().Str("names", "kind")}] = true
	case "HelmRelease":
		release := loader.ReleaseOf(o)
		g.producers[release.Namespace] = append(g.producers[release.Namespace], release)
	}
	if makes := producers[loader.ID{Group: o.ID.Group, Kind: o.ID.Kind}]; makes != nil {
		g.made[makes(o)] = o.ID
	}
}

// mayRender says whether a release may have taken an object over: one of its own
// name or, for Services, which charts are full of, any in its namespace.
func (g *Graph) mayRender(id loader.ID) bool {
	if LevelOf(id.Group, id.Kind) == LevelBackend {
		return len(g.producers[id.Namespace]) > 0
	}
	return slices.ContainsFunc(g.producers[id.Namespace], func(r loader.Release) bool { return r.Called(id.Name) })
}

// withoutIt says whether a route has the name of a Helm release that was read in full, as
// charts name what they install, and is not among what it installs. Of releases whose names
// begin alike the longest counts.
func (g *Graph) withoutIt(id loader.ID) bool {
	if LevelOf(id.Group, id.Kind) != LevelRoute || len(g.released) == 0 {
		return false
	}
	for name := id.Name; name != ""; name = name[:max(strings.LastIndexByte(name, '-'), 0)] {
		if g.released[loader.ID{Namespace: id.Namespace, Name: name}] {
			return true
		}
		if slices.ContainsFunc(g.producers[id.Namespace], func(r loader.Release) bool { return r.Called(name) }) {
			return false
		}
	}
	return false
}

// Installer is the release that is not rendered and may install an object of some name, as
// charts name what they install: that of the longest name with which the object's begins. ok
// is false where there is none, or a release that was read in full has a longer one.
func (g *Graph) Installer(id loader.ID) (by loader.ID, ok bool) {
	for name := id.Name; name != ""; name = name[:max(strings.LastIndexByte(name, '-'), 0)] {
		if i := slices.IndexFunc(g.producers[id.Namespace], func(r loader.Release) bool { return r.Called(name) }); i >= 0 {
			return g.producers[id.Namespace][i].By, true
		}
		if g.released[loader.ID{Namespace: id.Namespace, Name: name}] {
			return loader.ID{}, false
		}
	}
	return loader.ID{}, false
}

// Producer names what may render an object that is not in the input, with its
// place, or "".
func (g *Graph) Producer(id loader.ID) string {
	placed := func(by loader.ID) string {
		if o := g.objects[by]; o != nil {
			return fmt.Sprintf("%s (%s)", by, o.First())
		}
		return by.String()
	}
	if by, ok := g.maker(id); ok {
		return placed(by)
	}
	for _, p := range g.producers[id.Namespace] {
		// A release of the same name is the likeliest; of several others none is.
		if p.Called(id.Name) || len(g.producers[id.Namespace]) == 1 {
			return placed(p.By)
		}
	}
	if n := len(g.producers[id.Namespace]); n > 0 {
		return fmt.Sprintf("one of the %d HelmReleases of namespace %s", n, id.Namespace)
	}
	var near []loader.Gap
	for _, gap := range g.gaps {
		if gap.Namespace == "" || gap.Namespace == id.Namespace {
			near = append(near, gap)
		}
	}
	for _, gap := range near {
		// One of its name is the likeliest; of several others none is.
		if len(near) == 1 || gap.Name == id.Name {
			if gap.Position.File == "" {
				return gap.String()
			}
			return fmt.Sprintf("%s (%s)", gap, gap.Position)
		}
	}
	if len(near) > 0 {
		return fmt.Sprintf("one of %d things that are not rendered, such as %s (%s)", len(near), near[0], near[0].Position)
	}
	return ""
}
