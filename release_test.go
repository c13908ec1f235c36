package gwplan_test

import (
	"os"
	"slices"
	"testing"

	"sigs.k8s.io/yaml"
)

// What installs a release relies on the names of its archives and on its platforms.
func TestReleases(t *testing.T) {
	text, err := os.ReadFile(".goreleaser.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var release struct {
		Builds   []struct{ Goos, Goarch, Flags []string }
		Archives []struct {
			NameTemplate string `json:"name_template"`
			Formats      []string
		}
		Checksum struct {
			NameTemplate string `json:"name_template"`
		}
	}
	if err := yaml.Unmarshal(text, &release); err != nil {
		t.Fatal(err)
	}
	if len(release.Builds) != 1 || len(release.Archives) != 1 {
		t.Fatalf("%d builds, %d archives", len(release.Builds), len(release.Archives))
	}
	build, archive := release.Builds[0], release.Archives[0]
	if !slices.Equal(build.Goos, []string{"linux", "darwin", "windows"}) || !slices.Equal(build.Goarch, []string{"amd64", "arm64"}) {
		t.Errorf("platforms are %v on %v", build.Goos, build.Goarch)
	}
	if !slices.Contains(build.Flags, "-trimpath") || !slices.Contains(build.Flags, "-buildvcs=true") {
		t.Errorf("flags are %v: without -trimpath a build differs from machine to machine, without -buildvcs=true it has no version", build.Flags)
	}
	if archive.NameTemplate != "{{ .ProjectName }}_{{ .Version }}_{{ .Os }}_{{ .Arch }}" || !slices.Equal(archive.Formats, []string{"tar.gz"}) {
		t.Errorf("archives are called %s, in %v", archive.NameTemplate, archive.Formats)
	}
	if release.Checksum.NameTemplate != "checksums.txt" {
		t.Errorf("checksums are in %s", release.Checksum.NameTemplate)
	}
}

// The registry for aqua names the archives as releases do.
func TestAquaRegistry(t *testing.T) {
	text, err := os.ReadFile("examples/aqua/registry.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var registry struct {
		Packages []struct {
			Asset, Format string
			SupportedEnvs []string `json:"supported_envs"`
			Checksum      struct{ Asset string }
		}
	}
	if err := yaml.Unmarshal(text, &registry); err != nil {
		t.Fatal(err)
	}
	if len(registry.Packages) != 1 {
		t.Fatalf("%d packages", len(registry.Packages))
	}
	p := registry.Packages[0]
	if p.Asset != "gwplan_{{trimV .Version}}_{{.OS}}_{{.Arch}}.{{.Format}}" || p.Format != "tar.gz" || p.Checksum.Asset != "checksums.txt" {
		t.Errorf("archives are %s, in %s, with the checksums %s", p.Asset, p.Format, p.Checksum.Asset)
	}
	if !slices.Equal(p.SupportedEnvs, []string{"linux", "darwin", "windows"}) {
		t.Errorf("platforms are %v", p.SupportedEnvs)
	}
}
