package refusal

import "github.com/gwplan/gwplan/loader"

// kgatewayBackendConfig follows kgateway, pkg/kgateway/extensions2/plugins/backendconfigpolicy/tls.go, buildCertificateContext and
// buildValidationContext.
func kgatewayBackendConfig(spec *loader.Value) []Refusal {
	tls := spec.Get("tls")
	if tls.Get("insecureSkipVerify").IsTrue() || tls == nil || tls.Opaque {
		return nil
	}
	files := tls.Get("files")
	certificate, key := files.Get("tlsCertificate"), files.Get("tlsKey")
	names := tls.Get("verifySubjectAltNames")
	switch {
	case !tls.Get("simpleTLS").IsTrue() && certificate.IsNull() != key.IsNull():
		return []Refusal{{Path: "tls.files", At: files, Why: "tlsCertificate and tlsKey need each other"}}
	case len(names.ItemList()) > 0 && tls.Get("wellKnownCACertificates").IsNull() && tls.Get("secretRef").IsNull() && files.Get("rootCA").IsNull():
		return []Refusal{{Path: "tls.verifySubjectAltNames", At: names, Why: "no authority is named whose certificates have them"}}
	}
	return nil
}
