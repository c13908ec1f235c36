package loader

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
)

// Release is a Helm release: its name and namespace, and the object that installs it.
type Release struct {
	By              ID
	Namespace, Name string
}

// UninstalledChart is a Helm chart of the tree that nothing installs.
type UninstalledChart struct {
	Name string
	// Within are the names of the charts of the tree that have it as a dependency by its path (file://), and of those that have these.
	Within []string
	// Gives are the objects that it gives with its own values. They are not known if no other revision differs in it.
	Gives []Conditional
}

// Called reports whether a release, or the object that installs it, has a name. Charts name what
// they install after the release, people name it after the object.
func (r Release) Called(name string) bool { return r.Name == name || r.By.Name == name }

// maxRelease is the maximum length of the name of a release.
const maxRelease = 53

// ReleaseOf returns the release that a HelmRelease installs (helm-controller api/v2, GetReleaseName
// and GetReleaseNamespace; internal/release, ShortenName).
func ReleaseOf(o *Object) Release {
	target := o.Spec().Str("targetNamespace")
	name := o.Spec().Str("releaseName")
	if name == "" {
		name = o.ID.Name
		if target != "" {
			name = target + "-" + name
		}
		if len(name) > maxRelease {
			sum := sha256.Sum256([]byte(name))
			name = name[:40] + "-" + hex.EncodeToString(sum[:])[:12]
		}
	}
	return Release{o.ID, cmp.Or(target, o.ID.Namespace), name}
}
