package inventory

import (
	"slices"

	"github.com/gwplan/gwplan/loader"
)

// WithoutCertificate says why the data of a Secret holds no certificate, or is empty. What it lacks counts only where
// the input is all there is: elsewhere, or where the Secret has no data at all, something may fill it in.
func (o *Objects) WithoutCertificate(id loader.ID) string {
	secret := o.Object(id)
	if secret == nil || !o.complete || secret.Root.Get("data") == nil && secret.Root.Get("stringData") == nil {
		return ""
	}
	held := secret.Root.Get("data", "tls.crt")
	if held == nil {
		held = secret.Root.Get("stringData", "tls.crt")
	}
	switch {
	case held == nil:
		return id.String() + " has no tls.crt"
	case held.Text == loader.NoCertificate:
		return "tls.crt of " + id.String() + " is no certificate"
	}
	return ""
}

// WithoutAuthority says why a ConfigMap holds no authority, or is empty: none of its entries, or none of the keys if
// there are any, has a text. The same reserve applies.
func (o *Objects) WithoutAuthority(id loader.ID, keys []string) string {
	config := o.Object(id)
	if config == nil || id.Kind != "ConfigMap" || !o.complete || config.Root.Get("data") == nil {
		return ""
	}
	for _, field := range []string{"data", "binaryData"} {
		if slices.ContainsFunc(config.Root.Get(field).FieldList(), func(f loader.Field) bool {
			return (f.Value.Text != "" || f.Value.Opaque) && (keys == nil || slices.Contains(keys, f.Key))
		}) {
			return ""
		}
	}
	return id.String() + " has no ca.crt"
}
