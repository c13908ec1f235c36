package render

import (
	"crypto/sha256"
	"fmt"
	"regexp"
	"slices"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
)

// postRenderRoot is the folder of a build that no tree has.
const postRenderRoot = ".gwplan-post-render"

// postRendered applies the patches of a HelmRelease's postRenderers to what its chart
// renders: one kustomization for each renderer, the patches as they stand
// (helm-controller internal/postrender/kustomize.go). It answers false where they cannot
// be applied.
func (s *flux) postRendered(v *site, d declared, r *release, objects []declared) ([]declared, bool) {
	for _, renderer := range d.root.List("spec", "postRenderers") {
		patches := s.fitting(renderer.List("kustomize", "patches"), d, objects)
		if len(patches) == 0 {
			continue
		}
		var ok bool
		if objects, ok = s.patched(v, d, r, objects, patches); !ok {
			return objects, false
		}
	}
	for _, key := range []string{"labels", "annotations"} {
		if by := d.root.Get("spec", "commonMetadata", key); nested(by) && by.Shape == loader.Map {
			for i := range objects {
				objects[i] = objects[i].withMetadata(placed{key: key, value: by, at: d.object().Position(by)})
			}
		}
	}
	return objects, true
}

// fitting are the patches of a list that could be for one of some objects, with their places
// in the object d that holds the list.
func (s *flux) fitting(list []*loader.Value, d declared, objects []declared) []overlayPatch {
	var out []overlayPatch
	for _, item := range list {
		if body := item.Get("patch"); s.patchFits(item, objects) && body != nil && body.Shape == loader.String {
			at := d.object().Position(body)
			placedBody := *body
			placedBody.Mark = loader.Mark{Line: uint32(at.Line), Column: uint32(at.Column)}
			out = append(out, overlayPatch{target: item.Get("target"), body: placed{key: "patch", value: &placedBody, at: at}})
		}
	}
	return out
}

// patched builds one kustomization over objects.
func (s *flux) patched(v *site, d declared, r *release, objects []declared, patches []overlayPatch) ([]declared, bool) {
	in := &inflated{}
	h := sha256.New()
	for _, o := range objects {
		shift := uint32(len(in.files))
		in.files = append(in.files, o.files...)
		in.docs = append(in.docs, remarked(o.root, func(m loader.Mark) loader.Mark {
			m.File += shift
			return m
		}))
		digest := loader.Digest(o.object().ID, o.root)
		fmt.Fprintf(h, "%x %q\n", digest, o.files)
	}
	in.digest = [sha256.Size]byte(h.Sum(nil))
	p := s.builds.pass(v.view, postRenderRoot, &overlay{
		file: d.object().First().File, generated: &loader.Value{Shape: loader.Map}, inflated: in, patches: patches,
	})
	got := s.builds.build(p, v.view)
	if p.refused || len(got.gaps) > 0 || len(got.problems) > 0 {
		return objects, false
	}
	out := slices.Clone(got.objects)
	for i := range out {
		if out[i].namespace == "" {
			out[i].namespace = r.namespace
		}
		if len(objects) > 0 {
			out[i].inputs = objects[0].inputs
		}
	}
	return out, true
}

// patchFits says whether a patch could be for one of some objects. One that names an object
// which is not kept, as a Deployment, would fail here and not in the cluster.
func (s *flux) patchFits(item *loader.Value, objects []declared) bool {
	if target := item.Get("target"); target != nil {
		kind, err := regexp.Compile("^(?:" + clip(target.Str("kind")) + ")$")
		return err != nil || target.Str("kind") == "" || slices.ContainsFunc(objects, func(o declared) bool { return kind.MatchString(o.kind) })
	}
	docs, _ := manifest.Parse([]byte(item.Str("patch")), s.store.opts.Manifest.Limits)
	return slices.ContainsFunc(docs, func(doc *loader.Value) bool {
		return slices.ContainsFunc(objects, func(o declared) bool { return o.kind == doc.Str("kind") && o.name == doc.Str("metadata", "name") })
	})
}
