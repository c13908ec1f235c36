package parity_test

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/common/util"
	"helm.sh/helm/v4/pkg/chart/loader/archive"
	v2loader "helm.sh/helm/v4/pkg/chart/v2/loader"
	v2util "helm.sh/helm/v4/pkg/chart/v2/util"
	"helm.sh/helm/v4/pkg/engine"
	"sigs.k8s.io/yaml"

	"github.com/gwplan/gwplan/loader/helm"
)

func TestMain(m *testing.M) {
	log.SetOutput(io.Discard) // Helm warns of values that do not fit
	os.Exit(m.Run())
}

// The versions of a cluster that both are told.
const (
	kubeVersion = "v1.36.0"
	namespace   = "bakery"
)

// ours renders a chart with loader/helm.
func ours(files []helm.File, values map[string]any) (map[string]string, error) {
	c, err := helm.Load(files)
	if err != nil {
		return nil, err
	}
	if err := helm.ProcessDependencies(c, values); err != nil {
		return nil, err
	}
	capabilities := &helm.Capabilities{
		KubeVersion: helm.KubeVersion{Version: kubeVersion, Major: "1", Minor: "36"}, APIVersions: helm.BuiltIn(), HelmVersion: helm.Build(),
	}
	return helm.Render(c, values, helm.Release{Name: "web", Namespace: namespace}, capabilities, map[string]any{
		"lookup": func(_, _, _, _ string) map[string]any { return map[string]any{} },
	}, nil)
}

// theirs renders a chart with Helm.
func theirs(files []helm.File, values map[string]any) (map[string]string, error) {
	buffered := make([]*archive.BufferedFile, 0, len(files))
	for _, f := range files {
		buffered = append(buffered, &archive.BufferedFile{Name: f.Name, Data: f.Data})
	}
	c, err := v2loader.LoadFiles(buffered)
	if err != nil {
		return nil, err
	}
	if err := v2util.ProcessDependencies(c, values); err != nil {
		return nil, err
	}
	capabilities := *common.DefaultCapabilities
	capabilities.KubeVersion = common.KubeVersion{Version: kubeVersion, Major: "1", Minor: "36"}
	options := common.ReleaseOptions{Name: "web", Namespace: namespace, Revision: 1, IsInstall: true}
	all, err := util.ToRenderValuesWithSchemaValidation(c, values, options, &capabilities, true)
	if err != nil {
		return nil, err
	}
	return engine.Render(c, all)
}

// equal renders a chart with both and compares. The values are read for each: rendering
// may change them. It says whether both gave texts.
func equal(t *testing.T, files []helm.File, values string) bool {
	t.Helper()
	read := func() map[string]any {
		out := map[string]any{}
		if err := yaml.Unmarshal([]byte(values), &out); err != nil {
			t.Fatal(err)
		}
		return out
	}
	got, gotErr := ours(files, read())
	want, wantErr := theirs(files, read())
	for range 20 {
		if (wantErr == nil) == (gotErr == nil) && maps.Equal(got, want) {
			break
		}
		want, wantErr = theirs(files, read()) // it takes subcharts from a map, and may order them as we do
	}
	switch {
	case (wantErr == nil) != (gotErr == nil):
		t.Errorf("Helm: %v\nhere: %v", wantErr, gotErr)
	case !maps.Equal(got, want):
		for _, name := range slices.Sorted(maps.Keys(want)) {
			if got[name] != want[name] {
				t.Errorf("%s:\n%s", name, cmp.Diff(strings.Split(want[name], "\n"), strings.Split(got[name], "\n")))
			}
		}
		for name := range got {
			if _, ok := want[name]; !ok {
				t.Errorf("%s is rendered here alone", name)
			}
		}
	default:
		return wantErr == nil
	}
	var b bytes.Buffer
	for _, f := range files {
		fmt.Fprintf(&b, "-- %s --\n%s\n", f.Name, f.Data)
	}
	t.Logf("values: %s\n%s", values, &b)
	return false
}

// TestBuiltIn compares the versions that Kubernetes has by itself.
func TestBuiltIn(t *testing.T) {
	got, want := slices.Sorted(slices.Values(helm.BuiltIn())), slices.Sorted(slices.Values(common.DefaultVersionSet))
	if !slices.Equal(got, want) {
		t.Errorf("%q, Helm has %q", got, want)
	}
}

// TestScriptCharts renders the charts of the scripts.
func TestScriptCharts(t *testing.T) {
	scripts, err := filepath.Glob("../../testdata/script/*.txtar")
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	charts := 0
	for _, script := range scripts {
		if strings.HasSuffix(script, "_hostile.txtar") {
			continue // Helm would never end, or take all memory
		}
		archive, err := txtar.ParseFile(script)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			dir, base := filepath.Split(f.Name)
			if base != "Chart.yaml" {
				continue
			}
			var files []helm.File
			for _, f := range archive.Files {
				if name, ok := strings.CutPrefix(f.Name, dir); ok {
					files = append(files, helm.File{Name: name, Data: f.Data})
				}
			}
			charts++
			t.Run(filepath.Base(script)+"/"+dir, func(t *testing.T) { equal(t, files, "{}") })
		}
	}
	if charts < 20 {
		t.Errorf("%d charts: the scripts have more", charts)
	}
}

// TestWrittenCharts renders charts that were written for one thing each.
func TestWrittenCharts(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no charts: %v", err)
	}
	for _, name := range archives {
		t.Run(filepath.Base(name), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			values := "{}"
			var files []helm.File
			for _, f := range a.Files {
				if f.Name == "given.yaml" {
					values = string(f.Data)
					continue
				}
				files = append(files, helm.File{Name: f.Name, Data: f.Data})
			}
			equal(t, files, values)
		})
	}
}
