package network

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// renamed finds the workloads that are isolated under their old name only: the policies still select the old labels.
func (c *comparing) renamed() {
	for old, now := range c.now {
		before, known := c.Before.Workload(old)
		after, also := c.After.Workload(now)
		if !known || !also {
			continue
		}
		for _, d := range directions {
			if c.Before.isolated(before, d) && !c.After.isolated(after, d) {
				c.Exposed = append(c.Exposed, Exposure{
					Workload: now, Name: c.After.Endpoint(after).String(), Formerly: c.Before.Endpoint(before).String(), Direction: d,
					Edits: []Edit{{nil, c.is[now]}},
				})
			}
		}
	}
	slices.SortStableFunc(c.Exposed, func(a, b Exposure) int { return a.Workload.Compare(b.Workload) })
}

// renames maps the workloads of the first revision to those of the second that run the same images in their place: of a
// kind and a namespace, one is gone and one is new.
func renames(was, is map[loader.ID]*loader.Object) map[loader.ID]loader.ID {
	type place struct{ group, kind, namespace, images string }
	only := func(own, other map[loader.ID]*loader.Object) map[place][]loader.ID {
		out := map[place][]loader.ID{}
		for id, o := range own {
			if images := imagesOf(o); images != "" && other[id] == nil && Workload(id.Group, id.Kind) {
				at := place{id.Group, id.Kind, id.Namespace, images}
				out[at] = append(out[at], id)
			}
		}
		return out
	}
	gone, arrived := only(was, is), only(is, was)
	out := map[loader.ID]loader.ID{}
	for at, old := range gone {
		if now := arrived[at]; len(old) == 1 && len(now) == 1 {
			out[old[0]] = now[0]
		}
	}
	return out
}

// Unversioned returns an image without its tag and digest.
func Unversioned(image string) string {
	image, _, _ = strings.Cut(image, "@")
	if colon := strings.LastIndexByte(image, ':'); colon > strings.LastIndexByte(image, '/') {
		image = image[:colon]
	}
	return image
}

// imagesOf returns the images of the containers of a workload, without their versions, or "".
func imagesOf(o *loader.Object) string {
	template := o.Root.Get(templates[loader.ID{Group: o.ID.Group, Kind: o.ID.Kind}]...)
	var out []string
	for _, c := range template.List("spec", "containers") {
		image := Unversioned(c.Str("image"))
		if image == "" {
			return ""
		}
		out = append(out, image)
	}
	return strings.Join(out, " ")
}
