package dataplane

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/gwplan/gwplan/internal/conformance/cluster"
)

// tlsConfig is how a listener that trace names serves TLS.
func (h *holder) tlsConfig(name string, protocols ...string) (*tls.Config, error) {
	l, known := h.named(name)
	if !known || l.TLS == nil {
		return nil, fmt.Errorf("listener %s has no TLS", name)
	}
	config := &tls.Config{NextProtos: protocols}
	for _, ref := range l.TLS.CertificateRefs {
		namespace := l.namespace
		if ref.Namespace != nil {
			namespace = string(*ref.Namespace)
		}
		certificate, err := h.certificate(namespace, string(ref.Name))
		if err != nil {
			return nil, err
		}
		config.Certificates = append(config.Certificates, certificate)
	}
	if validation := h.validation(); validation != nil {
		config.ClientAuth = tls.RequireAndVerifyClientCert
		if validation.Mode == gatewayv1.AllowInsecureFallback {
			config.ClientAuth = tls.RequestClientCert
		}
		config.ClientCAs = h.authorities(validation.CACertificateRefs)
	}
	return config, nil
}

// certificate reads a certificate with its key from a Secret.
func (d *DataPlane) certificate(namespace, name string) (tls.Certificate, error) {
	var secret corev1.Secret
	if !d.Store.Read(cluster.Key{Kind: "Secret", Namespace: namespace, Name: name}, &secret) {
		return tls.Certificate{}, fmt.Errorf("there is no Secret %s/%s", namespace, name)
	}
	return tls.X509KeyPair(secret.Data[corev1.TLSCertKey], secret.Data[corev1.TLSPrivateKeyKey])
}

// validation is how the Gateway checks the certificates of clients at this port, or nil.
func (h *holder) validation() *gatewayv1.FrontendTLSValidation {
	gateway := h.stored()
	if gateway.Spec.TLS == nil || gateway.Spec.TLS.Frontend == nil {
		return nil
	}
	for _, other := range gateway.Spec.TLS.Frontend.PerPort {
		if int(other.Port) == h.number {
			return other.TLS.Validation
		}
	}
	return gateway.Spec.TLS.Frontend.Default.Validation
}

// authorities are the certificate authorities in ConfigMaps.
func (h *holder) authorities(refs []gatewayv1.ObjectReference) *x509.CertPool {
	pool := x509.NewCertPool()
	for _, ref := range refs {
		namespace := h.owner().Namespace
		if ref.Namespace != nil {
			namespace = string(*ref.Namespace)
		}
		var configMap corev1.ConfigMap
		h.Store.Read(cluster.Key{Kind: "ConfigMap", Namespace: namespace, Name: string(ref.Name)}, &configMap)
		pool.AppendCertsFromPEM([]byte(configMap.Data["ca.crt"]))
	}
	return pool
}

// clientCertificate is what the Gateway shows to backends, or nil.
func (h *holder) clientCertificate() (*tls.Certificate, error) {
	gateway := h.stored()
	if gateway.Spec.TLS == nil || gateway.Spec.TLS.Backend == nil || gateway.Spec.TLS.Backend.ClientCertificateRef == nil {
		return nil, nil
	}
	ref := gateway.Spec.TLS.Backend.ClientCertificateRef
	namespace := gateway.Namespace
	if ref.Namespace != nil {
		namespace = string(*ref.Namespace)
	}
	certificate, err := h.certificate(namespace, string(ref.Name))
	return &certificate, err
}
