package kustomize

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/tree"
)

// mergeSchema says which lists of an object kustomize merges item by item. The zero value is that of custom resources, whose
// lists it replaces.
type mergeSchema struct {
	// kind is one of Kubernetes' own that mergeSchemaOf knows, or "".
	kind string
	// pods is the path of the pod template's spec, or "".
	pods string
}

// mergeSchemaOf returns the schema of an object, or false if only kustomize knows it: that of Kubernetes' own kinds is in
// kyaml/openapi.
func mergeSchemaOf(object *loader.Value) (s mergeSchema, ok bool) {
	if custom(object) {
		return mergeSchema{}, true
	}
	s.kind = object.Str("kind")
	switch object.Str("apiVersion") + "/" + s.kind {
	case "apps/v1/Deployment", "apps/v1/StatefulSet", "apps/v1/DaemonSet", "apps/v1/ReplicaSet", "batch/v1/Job":
		s.pods = "/spec/template/spec"
	case "batch/v1/CronJob":
		s.pods = "/spec/jobTemplate/spec/template/spec"
	case "v1/Pod":
		s.pods = "/spec"
	case "v1/ConfigMap", "v1/Namespace", "v1/Service", "networking.k8s.io/v1/Ingress", "networking.k8s.io/v1/NetworkPolicy":
	default:
		return mergeSchema{}, false
	}
	return s, true
}

// itemPath ends the path of the items of a list.
const itemPath = "/[]"

// mergeKeys returns the fields that tell apart the items of the list at a path, by which kustomize merges them (patchMergeKey
// and listMapKey in the types of k8s.io/api). It returns nil for a list that is replaced, and none for one of texts that
// are united.
func (s mergeSchema) mergeKeys(path string) []string {
	switch {
	case s.kind == "":
		return nil
	case path == "/metadata/finalizers", strings.HasSuffix(path, "/template/metadata/finalizers"), strings.HasSuffix(path, "/jobTemplate/metadata/finalizers"),
		strings.HasSuffix(path, "/ephemeral/volumeClaimTemplate/metadata/finalizers"):
		return []string{}
	case strings.HasSuffix(path, "/metadata/ownerReferences"):
		return []string{"uid"}
	case path == "/status/conditions":
		return []string{"type"}
	case path == "/status/podIPs":
		return []string{"ip"}
	case path == "/spec/ports" && s.kind == "Service":
		return []string{"port", "protocol"}
	}
	of, below := strings.CutPrefix(path, s.pods)
	if !below || s.pods == "" {
		return nil
	}
	for _, containers := range []string{"/containers", "/initContainers", "/ephemeralContainers"} {
		if field, in := strings.CutPrefix(of, containers); in {
			switch field {
			case "", itemPath + "/env":
				return []string{"name"}
			case itemPath + "/volumeMounts":
				return []string{"mountPath"}
			case itemPath + "/volumeDevices":
				return []string{"devicePath"}
			case itemPath + "/ports":
				if containers != "/ephemeralContainers" {
					return []string{"containerPort", "protocol"}
				}
			}
			return nil
		}
	}
	switch of {
	case "/volumes", "/imagePullSecrets":
		return []string{"name"}
	case "/hostAliases":
		return []string{"ip"}
	case "/topologySpreadConstraints":
		return []string{"topologyKey", "whenUnsatisfiable"}
	}
	return nil
}

// plain reports whether kustomize leaves the lists of a value at a path as they are, but for what a patch changes in
// them: it drops what is null in items that it merges, and unites items that it cannot tell apart (kyaml
// yaml/walk/associative_sequence.go).
func (s mergeSchema) plain(v *loader.Value, path string) bool {
	if v.Shape != loader.List {
		return !slices.ContainsFunc(v.Fields, func(f loader.Field) bool { return !s.plain(f.Value, path+"/"+f.Key) })
	}
	keys := s.mergeKeys(path)
	if keys == nil {
		return true
	}
	if len(keys) == 0 || holdsNull(v) {
		return false
	}
	known := map[string]bool{}
	for _, item := range v.Items {
		key := keyOf(item, keys[0])
		if key == "" || known[key] || !s.plain(item, path+itemPath) {
			return false
		}
		known[key] = true
	}
	return true
}

// keyOf returns what tells an item apart from the others of its list, or "".
func keyOf(item *loader.Value, key string) string {
	of := item.Get(key)
	if of == nil || of.Shape != loader.String && of.Shape != loader.Int {
		return ""
	}
	return of.Text
}

// items merges the items of a list, those of the patch first, as kustomize orders them.
func (m merge) items(to, patch *loader.Value, path, key string) (out *loader.Value, own, ok bool) {
	merged := *to
	merged.Items = nil
	kept := slices.Clone(to.Items)
	for _, by := range patch.Items {
		name := keyOf(by, key)
		if name == "" {
			return nil, false, false
		}
		i := slices.IndexFunc(kept, func(item *loader.Value) bool { return keyOf(item, key) == name })
		if i < 0 {
			merged.Items = append(merged.Items, m.placed(by))
			continue
		}
		item, ofObject, ok := m.merge(kept[i], by, path+itemPath)
		if !ok {
			return nil, false, false
		}
		merged.Items, own = append(merged.Items, item), own || ofObject
		kept = slices.Delete(kept, i, i+1)
	}
	own = own || len(kept) > 0
	merged.Items = append(merged.Items, kept...)
	if !own {
		merged.Mark = m.place(patch.Mark)
	}
	return &merged, own, true
}

// custom reports whether kustomize knows no schema for an object: its group is none of those that Kubernetes serves itself.
func custom(object *loader.Value) bool {
	group, _ := tree.SplitVersion(object.Str("apiVersion"))
	return strings.Contains(group, ".") && (!strings.HasSuffix(group, ".k8s.io") || strings.HasPrefix(group, "gateway.networking."))
}
