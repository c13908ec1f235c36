package catalogue

import "testing"

func TestWords(t *testing.T) {
	table := &Table{settings: map[string]string{
		"jwt": "JWT authentication", "tls.minVersion": "the minimum TLS version", "tls": "TLS settings", "/timeout": "timeouts",
	}}
	own := &Kind{Entry: Entry{Settings: map[string]string{"jwt": "tokens", "/plans": "plans of users"}}}
	for _, c := range []struct {
		what string
		kind *Kind
		path string
		want string
	}{
		{"a path", nil, "jwt", "JWT authentication"},
		{"the end of a path", nil, "traffic.jwt", "JWT authentication"},
		{"the longest end", nil, "default.tls.minVersion", "the minimum TLS version"},
		{"a step above", nil, "jwt.providers", "JWT authentication (jwt.providers)"},
		{"a whole path", nil, "timeout", "timeouts"},
		{"a whole path is no end", nil, "retry.timeout", "retry.timeout"},
		{"a step is matched as a whole", nil, "staticjwt", "staticjwt"},
		{"the words of a kind first", own, "jwt", "tokens"},
		{"what a kind does not name", own, "timeout", "timeouts"},
		{"a path below that of a kind", own, "plans.gold", "plans of users (plans.gold)"},
		{"no words", nil, "mirrorPercent", "mirrorPercent"},
		{"a long path below words", nil, "jwt.a234567890123456789.b234567890123456789.c234567890", "JWT authentication"},
		{"a long path without words", nil, "x234567890123456789.y234567890123456789.z234567890123456789", "x234567890123456789.y234567890123456789"},
	} {
		if got := table.Words(c.kind, c.path); got != c.want {
			t.Errorf("%s: %s is %q, want %q", c.what, c.path, got, c.want)
		}
	}
}
