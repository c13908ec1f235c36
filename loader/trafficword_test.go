package loader_test

import (
	"testing"

	"github.com/gwplan/gwplan/loader"
)

func TestPartsOfWords(t *testing.T) {
	const policy = "apiVersion: gateway.envoyproxy.io/v1alpha1\nkind: Backend\nspec:\n  targetRef: {kind: Gateway}\n  timeout: 1s\n"
	for text, want := range map[string][2]string{
		policy: {"Backend", "targetRef"},
		"apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nspec: {x: 1}\n": {"HTTPRoute", ""},
	} {
		words := loader.TrafficAt([]byte(text), func(int) bool { return true }, func(string, string) loader.Bearing { return loader.OtherwiseRead })
		if len(words) == 0 {
			t.Errorf("no word for %q", text)
			continue
		}
		if first, attaches := loader.PartsOfWord(words[0]); first != want[0] || attaches != want[1] {
			t.Errorf("%q is %q and %q, want %q", words, first, attaches, want)
		}
	}
}
