package loader

import (
	"regexp"
	"slices"
	"strings"
)

// gatewayName is the label of the proxies of a Gateway (GEP-1762).
const gatewayName = "gateway.networking.k8s.io/gateway-name"

// attaching returns a key if objects of controllers attach by it to what serves traffic: the label
// of proxies or a selector of workloads anywhere, references to targets at the top of a spec.
func attaching(key string, inSpec bool) string {
	if key == gatewayName || key == "workloadSelector" || inSpec && (key == "targetRef" || key == "targetRefs") {
		return key
	}
	return ""
}

// SelectsProxies reports whether an object is of a controller and its spec has a key that selects what serves traffic.
func SelectsProxies(object *Value) bool {
	group, _, _ := strings.Cut(object.Str("apiVersion"), "/")
	return ofController(group) && selectsProxies(object.Get("spec"))
}

func selectsProxies(v *Value) bool {
	return slices.ContainsFunc(v.FieldList(), func(f Field) bool { return attaching(f.Key, false) != "" || selectsProxies(f.Value) }) ||
		slices.ContainsFunc(v.ItemList(), selectsProxies)
}

// targetKind matches the kinds that serve traffic, or run what does.
var targetKind = regexp.MustCompile(`^(Gateway.*|.*Route|X?ListenerSet|.*Service|ServiceEntry|Namespace|.*Backend|InferencePool|Ingress.*|VirtualService|Deployment|StatefulSet|DaemonSet|Pod)$`)

// kindInFlow matches the kind of a reference in flow style.
var kindInFlow = regexp.MustCompile(`\bkind["']?\s*:\s*["']?(\w+)`)

// targeted returns the kind that a line of a target reference names, or "".
func targeted(open []openKey, line lineOfKey) string {
	if !slices.ContainsFunc(open, func(k openKey) bool { return k.key == "targetRef" || k.key == "targetRefs" }) {
		return ""
	}
	if line.key == "kind" {
		return strings.Trim(line.value, `"' `)
	}
	if m := kindInFlow.FindStringSubmatch(line.value); m != nil {
		return m[1]
	}
	return ""
}

// ofController reports whether an API group is that of some controller: neither of Kubernetes
// itself nor of monitoring, which only observes.
func ofController(group string) bool {
	return strings.Contains(group, ".") && !strings.HasSuffix(group, ".k8s.io") && group != "monitoring.coreos.com"
}
