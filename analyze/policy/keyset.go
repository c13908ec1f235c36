package policy

import (
	"crypto/ecdh"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
)

// webKey is a key of a JSON Web Key Set, with the fields that decide whether it can be read.
type webKey struct {
	Kty, Crv         string
	K, X, Y, N, E, D *keyBytes
	P, Q             *keyBytes
	X5c              []string
}

// keyBytes are the bytes of a number in a key. The letters of base64 are those of URLs, without padding.
type keyBytes []byte

func (b *keyBytes) UnmarshalJSON(data []byte) error {
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		return err
	}
	decoded, err := base64.RawURLEncoding.DecodeString(text)
	*b = decoded
	return err
}

// wrongKeySet says what is wrong with the text of a JSON Web Key Set, or is empty. One key that cannot be read spoils the set
// (agentgateway, plugins/traffic_plugin.go, processJWTAuthenticationPolicy; go-jose v4.1.4, jwk.go, JSONWebKey.UnmarshalJSON).
// It repeats nothing of the text.
func wrongKeySet(text string) string {
	var set struct{ Keys []json.RawMessage }
	if json.Unmarshal([]byte(text), &set) != nil {
		return "this is not a JSON Web Key Set"
	}
	for i, raw := range set.Keys {
		if wrong := wrongWebKey(raw); wrong != "" {
			return fmt.Sprintf("key %d of this JSON Web Key Set %s", i+1, wrong)
		}
	}
	return ""
}

func wrongWebKey(raw json.RawMessage) string {
	var key webKey
	if json.Unmarshal(raw, &key) != nil {
		return "has a field that is not base64 for URLs without padding, or no text"
	}
	for _, text := range key.X5c {
		der, err := base64.StdEncoding.DecodeString(text)
		if err == nil {
			_, err = x509.ParseCertificate(der)
		}
		if err != nil {
			return "has an x5c that is no certificate"
		}
	}
	var needed []*keyBytes
	switch {
	case key.Kty == "RSA" && key.D != nil:
		needed = []*keyBytes{key.N, key.E, key.P, key.Q}
	case key.Kty == "RSA":
		needed = []*keyBytes{key.N, key.E}
	case key.Kty == "EC":
		needed = []*keyBytes{key.X, key.Y}
	case key.Kty == "oct":
		needed = []*keyBytes{key.K}
	case key.Kty == "OKP" && key.Crv == "Ed25519":
		needed = []*keyBytes{key.X}
	default:
		return "has a kty that is not RSA, EC, oct, or OKP of Ed25519"
	}
	if slices.Contains(needed, nil) {
		return "lacks a field that its kty needs"
	}
	if key.Kty == "EC" {
		return wrongPoint(key)
	}
	return ""
}

// wrongPoint says what is wrong with the point of a key of kty EC, or is empty.
func wrongPoint(key webKey) string {
	curves := map[string]struct {
		ecdh.Curve
		size int
	}{"P-256": {ecdh.P256(), 32}, "P-384": {ecdh.P384(), 48}, "P-521": {ecdh.P521(), 66}}
	curve, known := curves[key.Crv]
	if !known {
		return "has a crv that is not P-256, P-384 or P-521"
	}
	if len(*key.X) != curve.size || len(*key.Y) != curve.size {
		return "has an x or y of another length than its curve"
	}
	if _, err := curve.NewPublicKey(slices.Concat([]byte{4}, *key.X, *key.Y)); err != nil {
		return "has an x and y that are not on its curve"
	}
	return ""
}
