package apptemplate

import (
	"regexp"
	"slices"
	"strings"

	"github.com/Masterminds/semver/v3"
)

// appVersion is a release of app-template: major, minor and patch.
type appVersion [3]uint64

func (v appVersion) before(other appVersion) bool { return slices.Compare(v[:], other[:]) < 0 }

func (v appVersion) semver() *semver.Version { return semver.New(v[0], v[1], v[2], "", "") }

func appVersionOf(v *semver.Version) appVersion { return appVersion{v.Major(), v.Minor(), v.Patch()} }

// askedVersions are the releases that a version or a range allows.
type askedVersions struct {
	// versions has one release of each stage of the chart, newest first.
	versions []appVersion
	// exact means that no other release is allowed; known means that the rules of each one are
	// known.
	exact, known bool
}

// maxRange limits the length of a range's text.
const maxRange = 200

func versionsOf(text string) askedVersions {
	text = strings.TrimSpace(text)
	if v, err := semver.StrictNewVersion(strings.TrimPrefix(text, "v")); err == nil {
		one := appVersionOf(v)
		if rulesOf(one).unknown {
			return askedVersions{}
		}
		return askedVersions{[]appVersion{one}, true, v.Prerelease() == ""}
	}
	c, err := semver.NewConstraint(text)
	if err != nil || text == "" || len(text) > maxRange {
		return askedVersions{}
	}
	return inRange(c, text)
}

// inRange finds a release in each stage that a range covers. A range that covers part of a stage
// contains the first release of that stage, or a release with which the range itself begins.
func inRange(c *semver.Constraints, text string) askedVersions {
	candidates := append(stages(), mentioned(text)...)
	slices.SortFunc(candidates, func(a, b appVersion) int { return slices.Compare(b[:], a[:]) })
	out, last := askedVersions{known: true}, -1
	for _, v := range candidates {
		if n := stageOf(v); n != last && c.Check(v.semver()) {
			last = n
			if rulesOf(v).unknown {
				out.known = false
				continue
			}
			out.versions = append(out.versions, v)
		}
	}
	return out
}

// numbers matches the versions in a range; minor and patch may be missing.
var numbers = regexp.MustCompile(`\d+(\.\d+){0,2}`)

// mentioned returns the versions in the text of a range and their next patch, minor and major
// versions. A range can only begin with one of these.
func mentioned(text string) []appVersion {
	var out []appVersion
	for _, number := range numbers.FindAllString(text, -1) {
		v, err := semver.NewVersion(number)
		if err != nil {
			continue
		}
		for _, next := range []semver.Version{*v, v.IncPatch(), v.IncMinor(), v.IncMajor()} {
			out = append(out, appVersionOf(&next))
		}
	}
	return out
}

// stages returns the first releases that differ from those before them, in the behaviour of the
// templates or in the values that the schema allows, from old to new.
func stages() []appVersion {
	out := []appVersion{}
	for _, s := range appStages {
		out = append(out, s.since)
	}
	for _, f := range appFields {
		out = append(out, f.since, f.until)
	}
	slices.SortFunc(out, func(a, b appVersion) int { return slices.Compare(a[:], b[:]) })
	return slices.Compact(out)
}

// stageOf returns the number of stages up to a release.
func stageOf(v appVersion) int {
	return len(slices.DeleteFunc(stages(), func(s appVersion) bool { return v.before(s) }))
}
