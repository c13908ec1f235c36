package kustomize

import (
	"errors"
	"io"
	"log"
	"net/http"
	"os"
)

// errNetwork is the error of every request after Sandbox was called.
var errNetwork = errors.New("network access is refused while manifests are rendered")

// Sandbox sets up two more defences behind the gate, for the whole process: a default HTTP transport
// that refuses every request, and an empty PATH, so that no program is found by name. It also silences
// kustomize, which prints deprecation warnings to os.Stderr and to the standard logger; callers must
// keep their own handle of os.Stderr. Call it once, before the first build.
func Sandbox() {
	http.DefaultTransport = denyTransport{}
	_ = os.Setenv("PATH", "")
	log.SetOutput(io.Discard) //nolint:forbidigo // kustomize logs by itself; this silences it
	if null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0); err == nil {
		os.Stderr = null
	}
}

// denyTransport refuses every request.
type denyTransport struct{}

// RoundTrip returns an error.
func (denyTransport) RoundTrip(*http.Request) (*http.Response, error) { return nil, errNetwork }
