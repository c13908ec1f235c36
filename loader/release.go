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

// Called says whether a release or the object that installs it has a name: charts name what
// they install by the one, and people by the other.
func (r Release) Called(name string) bool { return r.Name == name || r.By.Name == name }

// maxRelease is how long the names of releases may be.
const maxRelease = 53

// ReleaseOf is the release that a HelmRelease installs (helm-controller api/v2,
// GetReleaseName and GetReleaseNamespace; internal/release, ShortenName).
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
