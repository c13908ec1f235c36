package answer

import (
	"testing"

	"github.com/gwplan/gwplan/analyze/implementation"
)

// What each data plane makes of a path, as its own code does.
func TestNormalise(t *testing.T) {
	envoy := implementation.Paths{Style: implementation.EnvoyPaths}
	merging := implementation.Paths{Style: implementation.EnvoyPaths, MergesSlashes: true, Slashes: implementation.RedirectSlashes}
	nginx := implementation.Paths{Style: implementation.NginxPaths, MergesSlashes: true}
	kong := implementation.Paths{Style: implementation.KongPaths, MergesSlashes: true}
	traefik := implementation.Paths{Style: implementation.TraefikPaths, MergesSlashes: true}
	literal := implementation.Paths{Style: implementation.LiteralPaths}
	with := func(slashes implementation.EscapedSlashes) implementation.Paths {
		return implementation.Paths{Style: implementation.EnvoyPaths, Slashes: slashes}
	}
	for _, test := range []struct {
		how    implementation.Paths
		path   string
		want   string
		status int
	}{
		{envoy, "/a/../b", "/b", 0},
		{envoy, "/a/./b", "/a/b", 0},
		{envoy, "/../x", "/x", 0},
		{envoy, "/a//../b", "/a/b", 0},
		{merging, "/a//../b", "/a/b", 0},
		{nginx, "/a//../b", "/b", 0},
		{kong, "/a//../b", "/b", 0},
		{traefik, "/a//../b", "/b", 0},
		{envoy, "/a//b", "/a//b", 0},
		{merging, "/a//b", "/a/b", 0},
		{merging, "//a//", "/a/", 0},
		{envoy, "/a/.", "/a/", 0},
		{envoy, "/a/b/..", "/a/", 0},
		{nginx, "/a/b/..", "/a/", 0},
		{traefik, "/a/.", "/a", 0},
		{traefik, "/a/b/..", "/a", 0},
		{envoy, "/a/%2e%2e/b", "/b", 0},
		{nginx, "/a/%2e%2E/b", "/b", 0},
		{kong, "/a/%2e%2e/b", "/b", 0},
		{traefik, "/a/%2e%2e/b", "/b", 0},
		{envoy, "/%61%20%2F", "/a%20%2F", 0},
		{nginx, "/%61%20b", "/a b", 0},
		{kong, "/%61%20%2F", "/a %2F", 0},
		{envoy, `/a\..\b`, "/b", 0},
		{envoy, "/%252e/b", "/%252e/b", 0},
		{nginx, "/a%2F../b", "/b", 0},
		{nginx, "/a%252Fb", "/a%2Fb", 0},
		{merging, "/a%2Fb", "/a/b", 307},
		{merging, "/a%5cb//c", "/a/b/c", 307},
		{merging, "/a//b", "/a/b", 0},
		{with(implementation.RejectSlashes), "/a%2fb", "/a%2fb", 400},
		{with(implementation.ForwardSlashes), "/a%2fb", "/a/b", 0},
		{with(implementation.KeepSlashes), "/a%2fb", "/a%2fb", 0},
		{nginx, "/../x", "/../x", 400},
		{kong, "/a/../../x", "/a/../../x", 400},
		{traefik, "/a/../../x", "/x", 0},
		{nginx, "/a%00", "/a\x00", 400},
		{literal, "/a//../%62", "/a//../%62", 0},
		{envoy, "/plain/path", "/plain/path", 0},
	} {
		got, known := Normalise(&Request{Scheme: "http", Path: test.path}, test.how, true)
		if got.Path != test.want || got.Status != test.status || !known {
			t.Errorf("%s: %s becomes %q (%d), want %q (%d)", test.how.Style, test.path, got.Path, got.Status, test.want, test.status)
		}
	}
	if got, _ := Normalise(&Request{Scheme: "grpc", Path: "/s%2Ft/m"}, merging, true); got.Status != refusedPath {
		t.Errorf("a gRPC call with an escaped slash gets %d, want 400", got.Status)
	}
	if got, _ := Normalise(&Request{Scheme: "http", Path: "/a/../b"}, envoy, false); got.Path != "/a/../b" {
		t.Errorf("without normalisation the path becomes %s", got.Path)
	}
	if _, known := Normalise(&Request{Scheme: "http", Path: "/a//b"}, implementation.Paths{}, true); known {
		t.Error("what another data plane does is not known")
	}
}
