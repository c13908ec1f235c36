package inventory

import (
	"encoding/pem"
	"slices"

	"github.com/gwplan/gwplan/loader"
)

// WithoutCertificate says why a Secret holds no certificate, or returns "". The certificate is at tls.crt or, if there are pairs
// of keys, at the first one of the first pair that the Secret has. The answer is always "" if the input is not complete or the
// Secret has no data, because something else may fill it in.
func (o *Objects) WithoutCertificate(id loader.ID, pairs [][2]string) string {
	secret := o.Object(id)
	if secret == nil || !o.complete || secret.Root.Get("data") == nil && secret.Root.Get("stringData") == nil {
		return ""
	}
	held := func(key string) *loader.Value {
		if v := secret.Root.Get("stringData", key); v != nil {
			return v
		}
		return secret.Root.Get("data", key)
	}
	if pairs == nil {
		pairs = [][2]string{{"tls.crt", "tls.crt"}}
	}
	wrong := id.Spoken() + " has no " + pairs[len(pairs)-1][0]
	for _, pair := range pairs {
		switch certificate, key := held(pair[0]), held(pair[1]); {
		case certificate != nil && key != nil && certificate.Text == loader.NoCertificate:
			return pair[0] + " of " + id.Spoken() + " is no certificate"
		case certificate != nil && key != nil:
			return ""
		case certificate != nil:
			wrong = id.Spoken() + " has " + pair[0] + " and no " + pair[1]
		}
	}
	return wrong
}

// WithoutAuthority says why a ConfigMap holds no authority, or is empty: none of its entries, or none of the keys if
// there are any, has a text, or with isPEM has one that begins a certificate. Of a Secret, only the keys are known, and whether
// ca.crt begins one. The same reserve applies.
func (o *Objects) WithoutAuthority(id loader.ID, keys []string, isPEM bool) string {
	config := o.Object(id)
	if config == nil || id.Kind != "ConfigMap" && (id.Kind != "Secret" || keys == nil) || !o.complete || config.Root.Get("data") == nil && config.Root.Get("stringData") == nil {
		return ""
	}
	wrong := id.Spoken() + " has no ca.crt"
	for _, field := range []string{"data", "binaryData", "stringData"} {
		for _, f := range config.Root.Get(field).FieldList() {
			switch held := f.Value; {
			case keys != nil && !slices.Contains(keys, f.Key), held.Text == "" && !held.Opaque && id.Kind != "Secret":
			case isPEM && field != "binaryData" && !certified(held):
				wrong = f.Key + " of " + id.Spoken() + " is no certificate"
			default:
				return ""
			}
		}
	}
	return wrong
}

// certified reports whether a text may begin a certificate. What is not known or filled in later may.
func certified(held *loader.Value) bool {
	if held.Opaque || loader.Placeholder(held.Text) {
		return held.Text != loader.NoCertificate
	}
	for block, rest := pem.Decode([]byte(held.Text)); block != nil; block, rest = pem.Decode(rest) {
		if block.Type == "CERTIFICATE" {
			return true
		}
	}
	return false
}
