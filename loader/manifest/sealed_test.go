package manifest_test

import (
	"strings"
	"testing"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
)

// The digest of a Secret differs where its body does, is never what the manifest says it is, and has nothing of the body.
func TestSealed(t *testing.T) {
	sealed := func(fields string) string {
		t.Helper()
		file := manifest.Decode([]byte("apiVersion: v1\nkind: Secret\nmetadata: {name: s}\n"+fields), manifest.Options{})
		if len(file.Documents) != 1 {
			t.Fatalf("%q: %d documents, %v", fields, len(file.Documents), file.Problems)
		}
		root := file.Documents[0].Root
		again := manifest.Sealed(root)
		digest := root.Get(loader.SealedKey)
		if digest == nil {
			if again != nil {
				t.Errorf("%q has a digest only when it is asked for again", fields)
			}
			return ""
		}
		if again.Text != digest.Text || strings.Contains(digest.Text, "marker") || !digest.Opaque {
			t.Errorf("%q: digest %q, later %q", fields, digest.Text, again.Text)
		}
		return digest.Text
	}
	base := sealed("data: {a: marker}\n")
	for fields, same := range map[string]bool{
		"data: {a: marker}\n":                                      true,
		"data: {a: marker2}\n":                                     false,
		"data: {b: marker}\n":                                      false,
		"stringData: {a: marker}\n":                                false,
		"\"\": x\ndata: {a: marker}\n":                             true,
		"gwplan.dev/sealed: marker\ndata: {a: marker}\n":           true,
		"gwplan.dev/sealed: \"${marker}\"\ndata: {a: marker2}\n":   false,
		"gwplan.dev/sealed: " + base + "\ndata: {a: \"${X}\"}\n":   false,
		"gwplan.dev/sealed: " + base + "\nstringData: {a: \"\"}\n": false,
	} {
		if got := sealed(fields); (got == base) != same {
			t.Errorf("%q has the digest of the first one: %v, want %v", fields, got == base, same)
		}
	}
	if got := sealed("type: Opaque\n"); got != "" {
		t.Errorf("a Secret without a body has the digest %q", got)
	}
}
