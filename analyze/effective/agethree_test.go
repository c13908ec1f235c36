package effective_test

import "testing"

// Of three of unknown age any could be the oldest: that the last and the first
// say the same does not settle it.
func TestAgeSensitiveAmongThree(t *testing.T) {
	for name, kinds := range map[string]string{"atomic": gepKind, "none": directKind} {
		s := stage(t, kinds, one,
			acme("a", "HTTPRoute r", "x: 1"), acme("b", "HTTPRoute r", "x: 2"), acme("c", "HTTPRoute r", "x: 1"))
		if p := s.policy("AcmePolicy", "g > r#only"); !p.AgeSensitive || p.DecidedBy != "name" {
			t.Errorf("%s: age-sensitive %v by %q; if b is the oldest, x is 2", name, p.AgeSensitive, p.DecidedBy)
		}
	}
}
