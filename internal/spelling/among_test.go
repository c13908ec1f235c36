package spelling

import "testing"

func TestAmong(t *testing.T) {
	tests := []struct {
		name  string
		names []string
		want  string
	}{
		{"htps", []string{"http", "https"}, `; did you mean "https"?`},
		{"https", []string{"http", "tls"}, "; there are http and tls"},
		{"http", []string{"https"}, "; there is https"},
		{"wbe", []string{"web", "admin"}, `; did you mean "web"?`},
		{"internal", []string{"external"}, "; there is external"},
		{"v1", []string{"v2"}, "; there is v2"},
		{"x", nil, ""},
		{"missing", []string{"f", "e", "d", "c", "b", "a", "a"}, "; there are a, b, c, d, e and 1 more"},
	}
	for _, test := range tests {
		if got := Among(test.name, test.names); got != test.want {
			t.Errorf("%s among %q: %q, want %q", test.name, test.names, got, test.want)
		}
	}
}
