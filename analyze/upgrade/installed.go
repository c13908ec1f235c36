package upgrade

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// Installed is a release of a project that an environment installs.
type Installed struct {
	Project *Project
	// Text is the version as it is written. Version is zero if the text names a range.
	Text    string
	Version Version
	At      loader.Position
}

// bundleVersion is the annotation with which the CRDs of Gateway API say their release.
const bundleVersion = "gateway.networking.k8s.io/bundle-version"

// tagged matches the release in the URL of manifests on GitHub.
var tagged = regexp.MustCompile(`/(v\d+\.\d+[^/?&]*)(?:/|$)|[?&]ref=(v?\d+\.\d+[^&]*)`)

// In returns the releases that an environment installs, one for each project: the newest, if there
// are several. It knows them from the versions of charts that are not rendered, from the URLs of
// remote manifests, from the labels of rendered charts and from the CRDs of Gateway API.
func In(env *loader.Environment) []Installed {
	var found []Installed
	add := func(p *Project, text string, at loader.Position) {
		v, _ := ParseVersion(text)
		found = append(found, Installed{p, text, v, at})
	}
	for _, g := range env.Gaps {
		for _, p := range All() {
			switch {
			case g.Chart.Version != "" && slices.Contains(p.Charts, g.Chart.Name):
				at := g.ChartAt
				if at.Line == 0 {
					at = g.Position
				}
				add(p, g.Chart.Version, at)
			}
		}
		if p, text := OfManifests(&g); p != nil {
			add(p, text, g.Position)
		}
	}
	for _, o := range env.Objects {
		labelled(o, add)
	}
	slices.SortStableFunc(found, func(a, b Installed) int {
		switch {
		case a.Project != b.Project:
			return cmp.Compare(a.Project.Name, b.Project.Name)
		case a.Version != b.Version && b.Version.Before(a.Version):
			return -1
		case a.Version != b.Version:
			return 1
		}
		return cmp.Or(cmp.Compare(b.Text, a.Text), cmp.Compare(a.At.File, b.At.File), cmp.Compare(a.At.Line, b.At.Line))
	})
	return slices.CompactFunc(found, func(a, b Installed) bool { return a.Project == b.Project })
}

// OfManifests returns the project and the release in the URL of remote manifests that a gap stands for, or nil: those of a release
// on GitHub, or of one file of a tag (raw.githubusercontent.com/OWNER/NAME/TAG/).
func OfManifests(g *loader.Gap) (*Project, string) {
	if g.Chart != (loader.RemoteChart{}) {
		return nil, ""
	}
	for _, p := range All() {
		if p.Repository == "" || !strings.Contains(g.Name, "github.com/"+p.Repository+"/") && !strings.Contains(g.Name, "githubusercontent.com/"+p.Repository+"/") {
			continue
		}
		if m := tagged.FindStringSubmatch(g.Name); m != nil {
			return p, cmp.Or(m[1], m[2])
		}
	}
	return nil, ""
}

// labelled adds what the label helm.sh/chart (NAME-VERSION) or a CRD of Gateway API says.
func labelled(o *loader.Object, add func(*Project, string, loader.Position)) {
	metadata := o.Root.Get("metadata")
	chart := metadata.Get("labels", "helm.sh/chart")
	bundle := metadata.Get("annotations", bundleVersion)
	for _, p := range All() {
		if chart != nil {
			for _, name := range p.Charts {
				if version, ok := strings.CutPrefix(chart.Text, name+"-"); ok {
					if _, ok := ParseVersion(version); ok {
						add(p, version, o.Position(chart))
					}
				}
			}
		}
		if bundle != nil && p.Bundle && o.ID.Kind == "CustomResourceDefinition" && strings.HasSuffix(o.ID.Name, "."+loader.GatewayGroup) {
			add(p, bundle.Text, o.Position(bundle))
		}
	}
}
