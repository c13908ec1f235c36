package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
)

// The gate is the first line of defence. Every run has the other two as well, before its command
// begins: no request leaves the process and no program is found by name.
func TestEveryRunIsSandboxed(t *testing.T) {
	transport, stderr := http.DefaultTransport, os.Stderr
	t.Cleanup(func() { http.DefaultTransport, os.Stderr = transport, stderr })
	t.Setenv("PATH", os.Getenv("PATH"))
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer server.Close()

	code := run([]string{"version"}, terminal{stdin: &input{Reader: strings.NewReader("")}, stdout: io.Discard, stderr: io.Discard})
	if code != exitDone {
		t.Fatalf("exit code %d", code)
	}
	if answer, err := http.Get(server.URL); err == nil {
		_ = answer.Body.Close()
		t.Error("a request was answered")
	}
	if path := os.Getenv("PATH"); path != "" {
		t.Errorf("programs are looked for in %q", path)
	}
}
