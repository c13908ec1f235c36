package refusal

import (
	"strconv"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// nginxProxySettings is what NGINX Gateway Fabric refuses in a ProxySettingsPolicy (NGINX Gateway Fabric,
// internal/controller/nginx/config/policies/proxysettings/validator.go, validateBusyBufferSizeRelationships).
func nginxProxySettings(spec *loader.Value) (out []Refusal) {
	buffering := spec.Get("buffering")
	at := buffering.Get("busyBuffersSize")
	busy, known := nginxSize(at)
	if !known {
		return nil
	}
	refuse := func(why string) {
		out = append(out, Refusal{Path: "buffering.busyBuffersSize", At: at, Why: why, Untaken: true})
	}
	if size, known := nginxSize(buffering.Get("bufferSize")); known && busy <= size {
		refuse("must be larger than bufferSize")
	}
	number, written := written(buffering.Get("buffers", "number"))
	n, err := strconv.ParseInt(number, 10, 32)
	if size, known := nginxSize(buffering.Get("buffers", "size")); known && written && err == nil && busy >= size*(n-1) {
		refuse("must be less than the size of all buffers but one")
	}
	return out
}

// nginxSize returns a size as NGINX writes it, in bytes, and whether it is known (ParseNginxSize).
func nginxSize(v *loader.Value) (bytes int64, known bool) {
	text, known := written(v)
	if !known {
		return 0, false
	}
	text = strings.TrimSpace(strings.ToLower(text))
	shift := 0
	for suffix, by := range map[string]int{"k": 10, "m": 20, "g": 30} {
		if rest, ok := strings.CutSuffix(text, suffix); ok {
			text, shift = rest, by
			break
		}
	}
	n, err := strconv.ParseInt(text, 10, 32)
	return n << shift, err == nil && n >= 0
}
