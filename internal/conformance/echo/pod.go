package echo

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"strings"
	"syscall"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/gwplan/gwplan/internal/conformance/cluster"
)

// errRefused is what a client sees where nothing listens.
var errRefused error = syscall.ECONNREFUSED

// pod is a pod with one container.
type pod struct {
	corev1.Pod
	store *cluster.Store
	logs  *cluster.Logs
}

// env returns a variable of the container.
func (p *pod) env(name, otherwise string) string {
	for _, variable := range p.Spec.Containers[0].Env {
		if variable.Name == name && variable.Value != "" {
			return variable.Value
		}
	}
	return otherwise
}

// argument returns the first value of an argument of the container.
func (p *pod) argument(name string) string {
	for _, argument := range p.Spec.Containers[0].Args {
		if value, found := strings.CutPrefix(argument, name+"="); found {
			return value
		}
	}
	return ""
}

func (p *pod) print(text string) {
	p.logs.Print(types.NamespacedName{Namespace: p.Namespace, Name: p.Name}, text)
}

// file returns a file that is mounted from a Secret or a ConfigMap.
func (p *pod) file(path string) []byte {
	for _, mount := range p.Spec.Containers[0].VolumeMounts {
		name, found := strings.CutPrefix(path, strings.TrimSuffix(mount.MountPath, "/")+"/")
		if !found {
			continue
		}
		for _, volume := range p.Spec.Volumes {
			if volume.Name != mount.Name {
				continue
			}
			if s := volume.Secret; s != nil {
				var secret corev1.Secret
				p.store.Read(cluster.Key{Kind: "Secret", Namespace: p.Namespace, Name: s.SecretName}, &secret)
				return secret.Data[keyOf(s.Items, name)]
			}
			if c := volume.ConfigMap; c != nil {
				var configMap corev1.ConfigMap
				p.store.Read(cluster.Key{Kind: "ConfigMap", Namespace: p.Namespace, Name: c.Name}, &configMap)
				return []byte(configMap.Data[keyOf(c.Items, name)])
			}
		}
	}
	return nil
}

// keyOf returns the key that a volume shows as a file.
func keyOf(items []corev1.KeyToPath, file string) string {
	for _, item := range items {
		if item.Path == file {
			return item.Key
		}
	}
	return file
}

// tlsConfig is how the pod serves TLS. It reads its certificate for each connection, as Secrets may change.
func (p *pod) tlsConfig(protocols ...string) *tls.Config {
	return &tls.Config{NextProtos: protocols, GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) {
		key := p.env("TLS_SERVER_PRIVKEY", p.env("TLS_SERVER_PRIV_KEY", ""))
		certificate, err := tls.X509KeyPair(p.file(p.env("TLS_SERVER_CERT", "")), p.file(key))
		if err != nil {
			return nil, fmt.Errorf("the certificate of %s: %w", p.Name, err)
		}
		config := &tls.Config{NextProtos: protocols, Certificates: []tls.Certificate{certificate}}
		if authorities := p.env("TLS_CLIENT_CACERTS", ""); authorities != "" {
			config.ClientAuth, config.ClientCAs = tls.VerifyClientCertIfGiven, x509.NewCertPool()
			config.ClientCAs.AppendCertsFromPEM(p.file(authorities))
		}
		return config, nil
	}}
}

// certificates are certificates as text.
func certificates(list []*x509.Certificate) []string {
	var out []string
	for _, certificate := range list {
		out = append(out, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate.Raw})))
	}
	return out
}
