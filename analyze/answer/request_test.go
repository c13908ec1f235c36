package answer_test

import (
	"testing"

	"github.com/gwplan/gwplan/analyze/answer"
)

// A request is read from a URL; what it leaves out has a default.
func TestParseRequest(t *testing.T) {
	for _, tt := range []struct {
		url, method string
		headers     []string
		want, err   string
	}{
		{url: "shop.example.com", want: "GET http://shop.example.com/"},
		{url: "https://SHOP.example.com./cart?b=2&a=1", method: "post", want: "POST https://shop.example.com/cart?b=2&a=1"},
		{url: "http://h:8080/a%20b", want: "GET http://h:8080/a%20b"},
		{url: "http://h/", headers: []string{"Host: other:1"}, want: "GET http://other/"},
		{url: "grpc://h/pkg.Service/Method", want: "grpc://h/pkg.Service/Method"},
		{url: "tcp://gateway:5432", want: "tcp://gateway:5432"},
		{url: "http://[::1]:80/", want: "GET http://[::1]:80/"},
		{url: "https://Shop.${DOMAIN}/x?a=1", want: "GET https://Shop.${DOMAIN}/x?a=1"},
		{url: "https://${NAME}.${DOMAIN}:8443/", want: "GET https://${NAME}.${DOMAIN}:8443/"},
		{url: "https://${A B}/", err: `"https://${A B}/" is not a URL: invalid character "{" in host name; write https://HOST/PATH`},
		{url: "https://${A}\n/", err: `"https://${A}\n/" is not a URL: net/url: invalid control character in URL; write https://HOST/PATH`},
		{url: "grpc://h/", err: `"grpc://h/" names no gRPC method; write grpc://HOST/SERVICE/METHOD`},
		{url: "tls://h/x", err: `"tls://h/x" has a path, which a connection does not have; leave it out`},
		{url: "ftp://h", err: `scheme "ftp" is not known; use http, https, grpc, grpcs, tls, tcp or udp`},
		{url: "http://h:99999/", err: `"http://h:99999/" has a port that is not between 0 and 65535`},
		{url: "http://h/", method: "GE T", err: `"GE T" is not a method; write one such as GET`},
		{url: "http:///x", err: `"http:///x" names no host; write SCHEME://HOST`},
		{url: "http://h", headers: []string{"x"}, err: `header "x" is not NAME: VALUE`},
	} {
		r, err := answer.ParseRequest(tt.url, tt.method, tt.headers)
		switch {
		case err != nil && err.Error() != tt.err:
			t.Errorf("%s: %v", tt.url, err)
		case err == nil && (tt.err != "" || r.String() != tt.want):
			t.Errorf("%s: got %s, want %s%s", tt.url, r, tt.want, tt.err)
		}
	}
}

// What cannot be decided by RE2 is not known, unless the beginning of the expression rules it out.
func TestBeginning(t *testing.T) {
	for expression, want := range map[string]string{
		"/a": "/a", "/a.*": "/a", "/ab*": "/a", "/ab?c": "/a", "/ab{2}": "/a", "/ab+": "/ab", "^/a(?=x)": "/a", "/a|/b": "", "(?i)/a": "", `/a\d`: "/a",
	} {
		if got := answer.Beginning(expression); got != want {
			t.Errorf("%s: got %q, want %q", expression, got, want)
		}
	}
}
