package flux

import (
	"crypto/sha256"
	"fmt"
	"slices"

	"github.com/gwplan/gwplan/internal/expression"
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/manifest"
	"github.com/gwplan/gwplan/loader/tree"
)

// postRenderRoot is the folder of a build. It is in no tree.
const postRenderRoot = ".gwplan-post-render"

// postRendered applies the patches of a HelmRelease's postRenderers and its commonMetadata to the
// objects that its chart renders. Each renderer becomes one kustomization with its patches
// unchanged (helm-controller internal/postrender/kustomize.go). It returns false if they cannot be
// applied.
func (h *releases) postRendered(v *site, d deploy.Object, r *deploy.Release, objects []deploy.Object) ([]deploy.Object, bool) {
	for _, renderer := range d.Root.List("spec", "postRenderers") {
		patches := h.fitting(renderer.List("kustomize", "patches"), d, objects)
		if len(patches) == 0 {
			continue
		}
		var ok bool
		if objects, ok = h.patched(v, d, r, objects, patches); !ok {
			return objects, false
		}
	}
	for _, key := range []string{"labels", "annotations"} {
		if by := d.Root.Get("spec", "commonMetadata", key); tree.Nested(by) && by.Shape == loader.Map {
			for i := range objects {
				objects[i] = objects[i].WithMetadata(deploy.Located{Key: key, Value: by, At: d.AsObject().Position(by)})
			}
		}
	}
	return objects, true
}

// fitting returns the patches of a list that may match one of the objects, with their positions in
// d, the object that contains the list.
func (h *releases) fitting(list []*loader.Value, d deploy.Object, objects []deploy.Object) []deploy.OverlayPatch {
	var out []deploy.OverlayPatch
	for _, item := range list {
		if body := item.Get("patch"); h.patchFits(item, objects) && body != nil && body.Shape == loader.String {
			at := d.AsObject().Position(body)
			placedBody := *body
			placedBody.Mark = loader.Mark{Line: uint32(at.Line), Column: uint32(at.Column)}
			out = append(out, deploy.OverlayPatch{Target: item.Get("target"), Body: deploy.Located{Key: "patch", Value: &placedBody, At: at}})
		}
	}
	return out
}

// patched applies patches to objects in one build.
func (h *releases) patched(v *site, d deploy.Object, r *deploy.Release, objects []deploy.Object, patches []deploy.OverlayPatch) ([]deploy.Object, bool) {
	in := &deploy.Inflated{}
	content := sha256.New()
	for _, o := range objects {
		shift := uint32(len(in.Files))
		in.Files = append(in.Files, o.Files...)
		in.Docs = append(in.Docs, deploy.Remarked(o.Root, func(m loader.Mark) loader.Mark {
			m.File += shift
			return m
		}))
		digest := loader.Digest(o.AsObject().ID, o.Root)
		fmt.Fprintf(content, "%x %q\n", digest, o.Files)
	}
	in.Digest = [sha256.Size]byte(content.Sum(nil))
	p := h.builds.Pass(v.View, postRenderRoot, &deploy.Overlay{
		File: d.AsObject().First().File, Generated: &loader.Value{Shape: loader.Map}, Inflated: in, Patches: patches,
	})
	got := h.builds.Build(p, v.View)
	if p.Refused || len(got.Gaps) > 0 || len(got.Problems) > 0 {
		return objects, false
	}
	out := slices.Clone(got.Objects)
	for i := range out {
		if out[i].Namespace == "" {
			out[i].Namespace = r.Namespace
		}
		if len(objects) > 0 {
			out[i].Inputs = objects[0].Inputs
		}
	}
	return out, true
}

// patchFits reports whether a patch may match one of the objects. A patch for an object that gwplan
// does not keep, for example a Deployment, would fail here but not in the cluster.
func (h *releases) patchFits(item *loader.Value, objects []deploy.Object) bool {
	if target := item.Get("target"); target != nil {
		kind, err := expression.Compile("^(?:" + deploy.Clip(target.Str("kind")) + ")$")
		return err != nil || target.Str("kind") == "" || slices.ContainsFunc(objects, func(o deploy.Object) bool { return kind.MatchString(o.Kind) })
	}
	docs, _ := manifest.Parse([]byte(item.Str("patch")), h.store.Opts.Manifest.Limits)
	return slices.ContainsFunc(docs, func(doc *loader.Value) bool {
		return slices.ContainsFunc(objects, func(o deploy.Object) bool { return o.Kind == doc.Str("kind") && o.Name == doc.Str("metadata", "name") })
	})
}
