package inventory

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// producers lists the kinds that create objects which are not in Git. Their presence explains why
// an object is missing. A result without a namespace means that the object is created in many.
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

// secretAt returns a Secret in the namespace of its producer. Its name is the value at the path, or
// otherwise the name of the producer.
func secretAt(path ...string) func(*loader.Object) loader.ID {
	return func(o *loader.Object) loader.ID {
		name := o.ID.Name
		if len(path) > 0 {
			name = cmp.Or(o.Spec().Str(path...), name)
		}
		return loader.ID{Kind: "Secret", Namespace: o.ID.Namespace, Name: name}
	}
}

// makers holds what creates objects that are not in Git.
type makers struct {
	// made maps each object that an object of the input creates to its creator.
	made map[loader.ID]loader.ID
	// releases holds the Helm releases that were not rendered, by the namespace they install into.
	releases map[string][]loader.Release
	// released holds the Helm releases that were read in full, by namespace and name.
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

// Makes reports whether objects of a kind create other objects that are not in Git.
func Makes(group, kind string) bool { return producers[loader.ID{Group: group, Kind: kind}] != nil }

// Made returns what an object of such a kind makes. Without a namespace, it makes one in each of several.
func Made(o *loader.Object) loader.ID {
	return producers[loader.ID{Group: o.ID.Group, Kind: o.ID.Kind}](o)
}

// isRoute reports whether an object is a Gateway API route.
func isRoute(id loader.ID) bool {
	return id.Group == loader.GatewayGroup && loader.IsRoute(id.Kind)
}

// maker returns the object of the input that creates id, if any.
func (m *makers) maker(id loader.ID) (loader.ID, bool) {
	if by, ok := m.made[id]; ok {
		return by, true
	}
	id.Namespace = ""
	by, ok := m.made[id]
	return by, ok
}

// rendersIn reports whether a release that is not rendered installs into a namespace.
func (m *makers) rendersIn(namespace string) bool { return len(m.releases[namespace]) > 0 }

// mayRender returns the releases that are not rendered and may now install an object: those of the same
// name or, for a Service (charts contain many), all of its namespace.
func (m *makers) mayRender(id loader.ID) []loader.Release {
	list := m.releases[id.Namespace]
	if id.Group == "" && id.Kind == "Service" {
		return list
	}
	var out []loader.Release
	for _, r := range list {
		if r.Called(id.Name) {
			out = append(out, r)
		}
	}
	return out
}

// MayInstall returns the releases that are not rendered and may now install an object of the other revision of a comparison. made
// is true if an object of the input creates it.
func (o *Objects) MayInstall(id loader.ID) (releases []loader.Release, made bool) {
	_, made = o.makers.maker(id)
	return o.makers.mayRender(id), made
}

// withoutIt reports whether a Helm release that was read in full does not install a route although
// the route name matches it. Charts name objects after the release, so the name of the route equals
// or starts with the release name. If several releases match, the longest name counts.
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

// Installer returns the release that is not rendered and may install the object. Charts name
// objects after the release, so it is the release with the longest name that the object name starts
// with. ok is false if there is none, or if a release that was read in full has a longer such name.
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

// Producer names what may render an object that is not in the input, with its position. It returns
// "" if nothing is known.
func (o *Objects) Producer(id loader.ID) string {
	placed := func(by loader.ID) string {
		if found := o.byID[by]; found != nil {
			return fmt.Sprintf("%s (%s)", by.Spoken(), found.First())
		}
		return by.Spoken()
	}
	if by, ok := o.makers.maker(id); ok {
		return placed(by)
	}
	for _, p := range o.makers.releases[id.Namespace] {
		// A release of the same name is the most likely one. Otherwise several releases are equally
		// likely.
		if p.Called(id.Name) || len(o.makers.releases[id.Namespace]) == 1 {
			return placed(p.By)
		}
	}
	if n := len(o.makers.releases[id.Namespace]); n > 0 {
		return fmt.Sprintf("one of the %d HelmReleases of namespace %s", n, id.Namespace)
	}
	near := o.near(id.Namespace)
	// A gap of the same name is the most likely. Several others are equally likely.
	if at, named := near.named[id.Name]; named || near.number == 1 {
		if !named {
			at = near.first
		}
		gap := o.gaps[at]
		if gap.Position.File == "" {
			return gap.String()
		}
		return fmt.Sprintf("%s (%s)", gap, gap.Position)
	}
	if near.number > 0 {
		first := o.gaps[near.first]
		return fmt.Sprintf("one of %d sources that could not be rendered, for example %s (%s)", near.number, first, first.Position)
	}
	return ""
}

// nearGaps are the gaps that may give objects of one namespace, by their places in the list of all.
type nearGaps struct {
	number, first int
	// named has the first gap of each name.
	named map[string]int
}

// near returns the gaps that may give objects of a namespace. They are looked for once.
func (o *Objects) near(namespace string) *nearGaps {
	if known := o.nearby[namespace]; known != nil {
		return known
	}
	out := &nearGaps{named: map[string]int{}}
	for i := range o.gaps {
		gap := &o.gaps[i]
		if gap.Namespace != "" && gap.Namespace != namespace {
			continue
		}
		if out.number == 0 {
			out.first = i
		}
		if _, twice := out.named[gap.Name]; !twice {
			out.named[gap.Name] = i
		}
		out.number++
	}
	if o.nearby == nil {
		o.nearby = map[string]*nearGaps{}
	}
	o.nearby[namespace] = out
	return out
}
