// Package dns recognises domain names as Kubernetes does.
package dns

import "regexp"

var subdomain = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`)

// MaxName is the length of the longest domain name, in bytes.
const MaxName = 253

// IsSubdomain reports whether a text is what the API server takes as the name of most objects: labels of lower case letters,
// digits and '-', joined by dots (apimachinery pkg/util/validation, IsDNS1123Subdomain).
func IsSubdomain(text string) bool { return len(text) <= MaxName && subdomain.MatchString(text) }
