package loader_test

import (
	"strings"
	"testing"

	"github.com/gwplan/gwplan/loader"
)

func TestWithoutCredentials(t *testing.T) {
	for text, want := range map[string]string{
		"https://user:pass@example.com/x":                "https://user:<redacted>@example.com/x",
		"https://user:p@ss@example.com":                  "https://user:<redacted>@example.com",
		`"oci://user:pass@a" and "x://u:p@b"`:            `"oci://user:<redacted>@a" and "x://u:<redacted>@b"`,
		"site/https:/user:pass@example.com":              "site/https:/user:<redacted>@example.com",
		"https://token@example.com/x":                    "https://<redacted>@example.com/x",
		"ssh://git@example.com/x":                        "ssh://git@example.com/x",
		"https://example.com:8443/a@b":                   "https://example.com:8443/a@b",
		"git@example.com:a/b":                            "git@example.com:a/b",
		"Bearer abcdefghi":                               "Bearer <redacted>",
		"basic abcdefghi":                                "basic <redacted>",
		"Basic settings apply":                           "Basic settings apply",
		"a\n-----BEGIN EC PRIVATE KEY-----\nx\n-":        "a\n<redacted>",
		"run --password=abc --user=x":                    "run --password=<redacted> --user=x",
		"Server=x;Password=a b;Port=1":                   "Server=x;Password=<redacted> b;Port=1",
		"https://x.example/h?access_token=a&b=c":         "https://x.example/h?access_token=<redacted>&b=c",
		"https://x.example/certs?key=AIzaSyAbc&alt=json": "https://x.example/certs?key=<redacted>&alt=json",
		"https://x.example/c?sv=1&sig=a%2Bb":             "https://x.example/c?sv=1&sig=<redacted>",
		"a eyJhbGciOiJI.eyJzdWIi.SflKxwRJ b":             "a <redacted> b",
		"key=value":                                      "key=value",
		"hooks.slack.com/services/T0/B0/xyz":             "hooks.slack.com/services/<redacted>",
		"a ghp_" + strings.Repeat("a", 36) + " b":        "a <redacted> b",
		"AKIA" + strings.Repeat("A", 16):                 "<redacted>",
		"token == 'x' && secret == 'y'":                  "token == 'x' && secret == 'y'",
		"token=$TOKEN":                                   "token=$TOKEN",
		"-----BEGIN CERTIFICATE-----\nx":                 "-----BEGIN CERTIFICATE-----\nx",
	} {
		if got := loader.WithoutCredentials(text); got != want {
			t.Errorf("%q gives %q, want %q", text, got, want)
		}
	}
}

func TestOnlyCredentials(t *testing.T) {
	for path, want := range map[string]bool{
		"db.password": true, "db.pwd": true, "vpn.psk": true, "license.hmac": true, "auth.user": true, "tls.certs": true, "api.key": true,
		"oauth2-proxy.config.cookieSecret": true, "notify.webhook": true,
		"db.replicas": false, "ingress.token": false, "api.url": false, "hostnames": false, "gateway.auth.password": false, "keys.size": false,
	} {
		if got := loader.IsOnlyCredential(path); got != want {
			t.Errorf("IsOnlyCredential(%q) = %v", path, got)
		}
	}
}
