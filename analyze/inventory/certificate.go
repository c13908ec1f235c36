package inventory

import (
	"encoding/pem"
	"slices"

	"github.com/gwplan/gwplan/loader"
)

// WithoutCertificate says why a Secret holds no certificate, or returns "". The certificate is at tls.crt or, if
// other is not empty, at that key. The answer is always "" if the input is not complete or the Secret has no data,
// because something else may fill it in.
func (o *Objects) WithoutCertificate(id loader.ID, other string) string {
	secret := o.Object(id)
	if secret == nil || !o.complete || secret.Root.Get("data") == nil && secret.Root.Get("stringData") == nil {
		return ""
	}
	if other != "" && (secret.Root.Get("data", other) != nil || secret.Root.Get("stringData", other) != nil) {
		return ""
	}
	held := secret.Root.Get("data", "tls.crt")
	if held == nil {
		held = secret.Root.Get("stringData", "tls.crt")
	}
	switch {
	case held == nil:
		return id.Spoken() + " has no tls.crt"
	case held.Text == loader.NoCertificate:
		return "tls.crt of " + id.Spoken() + " is no certificate"
	}
	return ""
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
	block, _ := pem.Decode([]byte(held.Text))
	return block != nil
}
