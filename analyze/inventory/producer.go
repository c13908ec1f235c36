package inventory

import (
	"cmp"
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
		return loader.ID{Kind: "Secret", Name: cmp.Or(
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
			name = cmp.Or(o.Spec().Str(path...), name)
		}
		return loader.ID{Kind: "Secret", Namespace: o.ID.Namespace, Name: name}
	}
}

// makers are what makes objects that are not in Git.
type makers struct {
	// made are the objects that something in the input makes, with what makes them.
	made map[loader.ID]loader.ID
	// releases are the Helm releases that were not rendered, by the namespace they install into.
	releases map[string][]loader.Release
	// released are the Helm releases that were read in full, by namespace and name.
	released map[loader.ID]bool
}

func newMakers(env *loader.Environment) *makers {
	m := &makers{made: map[loader.ID]loader.ID{}, releases: map[string][]loader.Release{}, released: map[loader.ID]bool{}}
	for _, o := range env.Objects {
		if o.ID.Kind == "HelmRelease" {
			release := loader.ReleaseOf(o)
			m.releases[release.Namespace] = append(m.releases[release.Namespace], release)
		}
		if makes := producers[loader.ID{Group: o.ID.Group, Kind: o.ID.Kind}]; makes != nil {
			m.made[makes(o)] = o.ID
		}
	}
	for _, release := range env.Releases {
		m.released[loader.ID{Namespace: release.Namespace, Name: release.Name}] = true
	}
	return m
}

// Makes says whether objects of a kind make others that are not in Git.
func Makes(group, kind string) bool { return producers[loader.ID{Group: group, Kind: kind}] != nil }

// isRoute says whether an object is a route of Gateway API.
func isRoute(id loader.ID) bool {
	return id.Group == loader.GatewayGroup && strings.HasSuffix(id.Kind, "Route")
}

// maker is what in the input makes an object, if anything does.
func (m *makers) maker(id loader.ID) (loader.ID, bool) {
	if by, ok := m.made[id]; ok {
		return by, true
	}
	id.Namespace = ""
	by, ok := m.made[id]
	return by, ok
}

// rendersIn says whether a release that is not rendered installs into a namespace.
func (m *makers) rendersIn(namespace string) bool { return len(m.releases[namespace]) > 0 }

// mayRender says whether a release may have taken an object over: one of its own
// name or, for Services, which charts are full of, any in its namespace.
func (m *makers) mayRender(id loader.ID) bool {
	if id.Group == "" && id.Kind == "Service" {
		return len(m.releases[id.Namespace]) > 0
	}
	return slices.ContainsFunc(m.releases[id.Namespace], func(r loader.Release) bool { return r.Called(id.Name) })
}

// withoutIt says whether a route has the name of a Helm release that was read in full, as
// charts name what they install, and is not among what it installs. Of releases whose names
// begin alike the longest counts.
func (m *makers) withoutIt(id loader.ID) bool {
	if !isRoute(id) || len(m.released) == 0 {
		return false
	}
	for name := id.Name; name != ""; name = name[:max(strings.LastIndexByte(name, '-'), 0)] {
		if m.released[loader.ID{Namespace: id.Namespace, Name: name}] {
			return true
		}
		if slices.ContainsFunc(m.releases[id.Namespace], func(r loader.Release) bool { return r.Called(name) }) {
			return false
		}
	}
	return false
}

// Installer is the release that is not rendered and may install an object of some name, as
// charts name what they install: that of the longest name with which the object's begins. ok
// is false where there is none, or a release that was read in full has a longer one.
func (o *Objects) Installer(id loader.ID) (by loader.ID, ok bool) {
	for name := id.Name; name != ""; name = name[:max(strings.LastIndexByte(name, '-'), 0)] {
		if i := slices.IndexFunc(o.makers.releases[id.Namespace], func(r loader.Release) bool { return r.Called(name) }); i >= 0 {
			return o.makers.releases[id.Namespace][i].By, true
		}
		if o.makers.released[loader.ID{Namespace: id.Namespace, Name: name}] {
			return loader.ID{}, false
		}
	}
	return loader.ID{}, false
}

// Producer names what may render an object that is not in the input, with its
// place, or "".
func (o *Objects) Producer(id loader.ID) string {
	placed := func(by loader.ID) string {
		if found := o.byID[by]; found != nil {
			return fmt.Sprintf("%s (%s)", by, found.First())
		}
		return by.String()
	}
	if by, ok := o.makers.maker(id); ok {
		return placed(by)
	}
	for _, p := range o.makers.releases[id.Namespace] {
		// A release of the same name is the likeliest; of several others none is.
		if p.Called(id.Name) || len(o.makers.releases[id.Namespace]) == 1 {
			return placed(p.By)
		}
	}
	if n := len(o.makers.releases[id.Namespace]); n > 0 {
		return fmt.Sprintf("one of the %d HelmReleases of namespace %s", n, id.Namespace)
	}
	var near []loader.Gap
	for _, gap := range o.gaps {
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
