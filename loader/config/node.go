package config

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/gwplan/gwplan/loader"
)

// groupless returns the group and scope of a kind that the text form of a node writes without a
// group: the persisted kinds of core/v1, and the Gateway API kinds of all versions. known is false
// for every other kind.
func groupless(kind string) (group string, clusterScoped, known bool) {
	switch kind {
	case "Namespace", "Node", "PersistentVolume":
		return "", true, true
	case "ConfigMap", "Endpoints", "Event", "LimitRange", "PersistentVolumeClaim", "Pod", "PodTemplate",
		"ReplicationController", "ResourceQuota", "Secret", "Service", "ServiceAccount":
		return "", false, true
	case "GatewayClass":
		return loader.GatewayGroup, true, true
	case "Gateway", "HTTPRoute", "GRPCRoute", "TLSRoute", "TCPRoute", "UDPRoute", "ListenerSet",
		"ReferenceGrant", "ReferencePolicy", "BackendTLSPolicy", "BackendLBPolicy":
		return loader.GatewayGroup, false, true
	}
	return "", false, false
}

// The length limits of Kubernetes names. The expressions do not check lengths: one that
// does ({1,253}) takes milliseconds to compile at each start.
const (
	maxLabel = 63
	maxName  = 253
)

var (
	kindText  = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9]*$`)
	groupText = regexp.MustCompile(`^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$`)
	labelText = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`)
	nameText  = regexp.MustCompile(`^[^/#\s\p{C}]+$`)
	classText = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`)
	// controllerText is the pattern of Gateway API (apis/v1, GatewayController).
	controllerText = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$`)
)

func isKind(s string) bool      { return len(s) <= maxLabel && kindText.MatchString(s) }
func isGroup(s string) bool     { return len(s) <= maxName && groupText.MatchString(s) }
func isNamespace(s string) bool { return len(s) <= maxLabel && labelText.MatchString(s) }
func isName(s string) bool      { return utf8.RuneCountInString(s) <= maxName && nameText.MatchString(s) }
func isClass(s string) bool     { return len(s) <= maxName && classText.MatchString(s) }
func isHostname(s string) bool {
	return len(s) <= maxName && classText.MatchString(strings.TrimPrefix(s, "*."))
}
func isController(s string) bool { return len(s) <= maxName && controllerText.MatchString(s) }

// ParseNode parses the text form of a [loader.ID]: KIND[.GROUP]/NAMESPACE/NAME, or
// KIND[.GROUP]/NAME for cluster-scoped kinds. Kinds of core and Gateway API are written
// without a group. The error says what is wrong and how to correct it.
func ParseNode(s string) (loader.ID, error) {
	parts := strings.Split(s, "/")
	if len(parts) < 2 || len(parts) > 3 {
		return loader.ID{}, fmt.Errorf("%s is no node; write KIND[.GROUP]/NAMESPACE/NAME, or KIND/NAME without a namespace", quote(s))
	}
	id := loader.ID{Name: parts[len(parts)-1]}
	id.Kind, id.Group, _ = strings.Cut(parts[0], ".")
	if len(parts) == 3 {
		id.Namespace = parts[1]
	}
	if err := checkParts(s, parts, id); err != nil {
		return loader.ID{}, err
	}
	group, clusterScoped, known := groupless(id.Kind)
	switch {
	case id.Group != "" && id.Group != group:
		// The scope of a kind of another group is not known here, so it is not checked.
		return id, nil
	case !known:
		return loader.ID{}, fmt.Errorf("%s is a kind of neither core nor Gateway API; write its group, as in %s.GROUP/NAMESPACE/NAME", quote(id.Kind), id.Kind)
	case clusterScoped && id.Namespace != "":
		return loader.ID{}, fmt.Errorf("a %s has no namespace; write %s/%s", id.Kind, id.Kind, id.Name)
	case !clusterScoped && id.Namespace == "":
		return loader.ID{}, fmt.Errorf("a %s has a namespace; write %s/NAMESPACE/%s", id.Kind, id.Kind, id.Name)
	}
	id.Group = group
	return id, nil
}

// checkParts checks the characters and the length of each part.
func checkParts(s string, parts []string, id loader.ID) error {
	switch {
	case strings.Contains(s, "#"):
		return fmt.Errorf("%s names a section; write the object alone, without what begins at #", quote(s))
	case !isKind(id.Kind):
		return fmt.Errorf("%s is no kind; write it as in manifests, such as HTTPRoute", quote(id.Kind))
	case strings.Contains(parts[0], ".") && !isGroup(id.Group):
		return fmt.Errorf("%s is not an API group; write a DNS name", quote(id.Group))
	case len(parts) == 3 && !isNamespace(id.Namespace):
		return fmt.Errorf("%s is not a valid name of a Namespace; use lower case letters, digits and dashes", quote(id.Namespace))
	case !isName(id.Name):
		return fmt.Errorf("%s is not a valid name of an object; write it as in metadata.name", quote(id.Name))
	}
	return nil
}
