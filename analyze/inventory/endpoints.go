package inventory

import (
	"slices"

	"github.com/gwplan/gwplan/loader"
)

// serviceLabel names the Service of an EndpointSlice.
const serviceLabel = "kubernetes.io/service-name"

// WithoutEndpoints reports whether a Service is known to have no endpoints: it selects no pods, and nothing in an
// input that is all there is gives it any. Whether the pods of a selector are ready is not in manifests.
func (o *Objects) WithoutEndpoints(id loader.ID) bool {
	service := o.Object(id)
	if service == nil || id.Group != "" || id.Kind != "Service" || !o.Whole() {
		return false
	}
	if !service.Spec().Get("selector").IsEmpty() || service.Spec().Str("type") == "ExternalName" {
		return false
	}
	given := slices.ContainsFunc(o.ObjectsOf("discovery.k8s.io", "EndpointSlice", id.Namespace), func(slice *loader.Object) bool {
		return slice.Root.Str("metadata", "labels", serviceLabel) == id.Name
	})
	return !given && o.Object(loader.ID{Kind: "Endpoints", Namespace: id.Namespace, Name: id.Name}) == nil
}
