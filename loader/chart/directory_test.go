package chart_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/loader/chart"
)

// cache is a folder of charts: names that end in .tgz are packed, others are
// folders. Each holds a chart of that name and version, and says where it was.
func cache(t *testing.T, charts ...[3]string) string {
	t.Helper()
	dir := t.TempDir()
	for _, c := range charts {
		at, name, version := c[0], c[1], c[2]
		list := files("-- Chart.yaml --\n{apiVersion: v2, name: " + name + ", version: " + version + "}\n" + settings("templates/x.yaml", "{at: "+at+"}"))
		if strings.HasSuffix(at, ".tgz") {
			write(t, filepath.Join(dir, at), packed(t, name, list))
			continue
		}
		for _, f := range list {
			write(t, filepath.Join(dir, at, f.Name), f.Data)
		}
	}
	return dir
}

func write(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func open(t *testing.T, dir string) *chart.Directory {
	t.Helper()
	d, err := chart.OpenDirectory(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

func TestDirectory(t *testing.T) {
	d := open(t, cache(t,
		[3]string{"shop-1.0.0.tgz", "shop", "1.0.0"}, [3]string{"shop-1.2.0.tgz", "shop", "1.2.0"}, [3]string{"shop-1.10.0.tgz", "shop", "1.10.0"},
		[3]string{"shop-2.0.0.tgz", "shop", "2.0.0"}, [3]string{"shop-3.0.0-rc.1.tgz", "shop", "3.0.0-rc.1"}, [3]string{"shop-v4.0.0.tgz", "shop", "v4.0.0"},
		[3]string{"shop-admin-9.0.0.tgz", "shop-admin", "9.0.0"}, [3]string{"shop-latest.tgz", "shop", "8.0.0"},
		[3]string{"open", "open", "1.5.0"}, [3]string{"both", "both", "2.0.0"}, [3]string{"both-1.0.0.tgz", "both", "1.0.0"},
	))
	tests := []struct{ name, version, want string }{
		{"shop", "1.0.0", "shop-1.0.0.tgz"},
		{"shop", "1.2.0", "shop-1.2.0.tgz"},
		{"shop", "v1.2.0", "shop-1.2.0.tgz"},
		{"shop", "4.0.0", "shop-v4.0.0.tgz"},
		{"shop", "1.1.0", ""},
		{"shop", "1.x.x", "shop-1.10.0.tgz"},
		{"shop", "~1.2.0", "shop-1.2.0.tgz"},
		{"shop", "^1.0.0", "shop-1.10.0.tgz"},
		{"shop", ">=1.0.0 <2.0.0", "shop-1.10.0.tgz"},
		{"shop", ">5.0.0", ""},
		{"shop", "3.0.0-rc.1", "shop-3.0.0-rc.1.tgz"},
		{"shop", ">=3.0.0-0 <4.0.0", "shop-3.0.0-rc.1.tgz"},
		{"shop", "3.x", ""},
		{"shop", "", "shop-v4.0.0.tgz"},
		{"shop", "*", "shop-v4.0.0.tgz"},
		{"shop", "no version", ""},
		{"shop-admin", "", "shop-admin-9.0.0.tgz"},
		{"shop-admin", "1.x", ""},
		{"open", "1.5.0", "open"},
		{"open", "1.x", "open"},
		{"open", "", "open"},
		{"open", "2.0.0", ""},
		{"both", "1.0.0", "both-1.0.0.tgz"},
		{"both", "2.0.0", "both"},
		{"none", "", ""},
		{"", "", ""},
		{"sho", "", ""},
		{"Shop", "1.0.0", ""},
	}
	for _, tt := range tests {
		for range 2 { // The second time it is remembered.
			c, err := d.Find(tt.name, tt.version)
			got := ""
			if c != nil {
				got = at(t, c)
			}
			if err != nil || got != tt.want {
				t.Errorf("%s %q: got %q, %v; want %q", tt.name, tt.version, got, err, tt.want)
			}
		}
	}
}

// at is where a chart of the cache says that it was.
func at(t *testing.T, c *chart.Chart) string {
	t.Helper()
	return strings.Trim(strings.TrimPrefix(data(t, rendered(t, c, released(chart.Values{}))), "{at: "), `"}`)
}

// TestDirectoryOutside: nothing outside of the folder is a chart, whatever its name
// or wherever a link leads.
func TestDirectoryOutside(t *testing.T) {
	outer := cache(t, [3]string{"secret", "secret", "1.0.0"}, [3]string{"secret-1.0.0.tgz", "secret", "1.0.0"}, [3]string{"inner/shop", "shop", "1.0.0"})
	inner := filepath.Join(outer, "inner")
	for from, to := range map[string]string{"linked": "../secret", "linked-1.0.0.tgz": "../secret-1.0.0.tgz", "folder-link": filepath.Join(outer, "secret")} {
		if err := os.Symlink(to, filepath.Join(inner, from)); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(inner, "partly", "Chart.yaml"), []byte("{apiVersion: v2, name: partly, version: 1.0.0}"))
	if err := os.Symlink("../../secret/templates", filepath.Join(inner, "partly", "templates")); err != nil {
		t.Fatal(err)
	}
	d := open(t, inner)
	for _, name := range []string{"../secret", "/secret", `..\secret`, "a/../../secret", "..", ".", "linked", "folder-link", "shop/../../secret", filepath.Join(outer, "secret"), "secret\x00"} {
		for _, version := range []string{"", "1.0.0", "../1.0.0"} {
			if c, _ := d.Find(name, version); c != nil {
				t.Errorf("%q %q gave %s", name, version, c.Name)
			}
		}
	}
	c, err := d.Find("partly", "")
	if err != nil || c == nil || shown(rendered(t, c, released(chart.Values{}))) != "" {
		t.Errorf("a folder with a link to templates elsewhere: %v", err)
	}
	if c, err := d.Find("shop", ""); c == nil || err != nil {
		t.Errorf("the folder's own: %v", err)
	}
}

// TestDirectoryBroken: a chart that is there and cannot be read is an error, for no
// one else's.
func TestDirectoryBroken(t *testing.T) {
	dir := cache(t, [3]string{"fine-1.0.0.tgz", "fine", "1.0.0"})
	write(t, filepath.Join(dir, "text-1.0.0.tgz"), []byte("text"))
	write(t, filepath.Join(dir, "folder", "Chart.yaml"), []byte("{apiVersion: v2, name: folder}"))
	write(t, filepath.Join(dir, "empty", "README.md"), []byte("no chart"))
	if err := os.MkdirAll(filepath.Join(dir, "dir-1.0.0.tgz"), 0o755); err != nil {
		t.Fatal(err)
	}
	d := open(t, dir)
	for _, name := range []string{"text", "folder", "dir"} {
		if c, err := d.Find(name, ""); c != nil || err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"fine", "empty"} {
		if c, err := d.Find(name, ""); err != nil || (c != nil) != (name == "fine") {
			t.Errorf("%s: %v, %v", name, c, err)
		}
	}
}

func TestNoDirectory(t *testing.T) {
	var none *chart.Directory
	if c, err := none.Find("shop", ""); c != nil || err != nil {
		t.Errorf("%v, %v", c, err)
	}
	if _, err := chart.OpenDirectory(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a folder that is not there opens")
	}
}
