package loader_test

import (
	"testing"

	"github.com/gwplan/gwplan/loader"
)

func TestWithoutCredentials(t *testing.T) {
	for text, want := range map[string]string{
		"https://user:pass@example.com/x":         "https://user:<redacted>@example.com/x",
		"https://user:p@ss@example.com":           "https://user:<redacted>@example.com",
		`"oci://user:pass@a" and "x://u:p@b"`:     `"oci://user:<redacted>@a" and "x://u:<redacted>@b"`,
		"site/https:/user:pass@example.com":       "site/https:/user:<redacted>@example.com",
		"https://token@example.com/x":             "https://<redacted>@example.com/x",
		"ssh://git@example.com/x":                 "ssh://git@example.com/x",
		"https://example.com:8443/a@b":            "https://example.com:8443/a@b",
		"git@example.com:a/b":                     "git@example.com:a/b",
		"Bearer abcdefghi":                        "Bearer <redacted>",
		"basic abcdefghi":                         "basic <redacted>",
		"Basic settings apply":                    "Basic settings apply",
		"a\n-----BEGIN EC PRIVATE KEY-----\nx\n-": "a\n<redacted>",
		"-----BEGIN CERTIFICATE-----\nx":          "-----BEGIN CERTIFICATE-----\nx",
	} {
		if got := loader.WithoutCredentials(text); got != want {
			t.Errorf("%q gives %q, want %q", text, got, want)
		}
	}
}
