package ocm

import (
	"slices"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
)

// merged returns an object with what another policy has it have, too: keys of the later one win, and lists
// only grow (config-policy-controller controllers, handleKeys and mergeArrays).
func merged(existing, template deploy.Object) deploy.Object {
	shift := uint32(len(existing.Files))
	out := existing
	out.Files = slices.Concat(existing.Files, template.Files)
	out.Inputs = slices.Concat(existing.Inputs, template.Inputs)
	root := deploy.Remarked(template.Root, func(m loader.Mark) loader.Mark {
		m.File += shift
		return m
	})
	out.Root = mergedValue(existing.Root, root)
	return out
}

func mergedValue(existing, template *loader.Value) *loader.Value {
	switch {
	case existing == nil || existing.Shape != template.Shape:
		return template
	case template.Shape == loader.Map:
		out := *existing
		out.Fields = slices.Clone(existing.Fields)
		for _, f := range template.Fields {
			i := slices.IndexFunc(out.Fields, func(g loader.Field) bool { return g.Key == f.Key })
			if i < 0 {
				out.Fields = append(out.Fields, f)
				continue
			}
			out.Fields[i].Value = mergedValue(out.Fields[i].Value, f.Value)
		}
		return &out
	case template.Shape == loader.List:
		return mergedList(existing, template)
	}
	return template
}

// mergedList returns the items of the template, each joined with the existing one of its name or of which it
// is a part, and behind them the existing ones that are left.
func mergedList(existing, template *loader.Value) *loader.Value {
	out := *template
	out.Items = slices.Clone(template.Items)
	used := make([]bool, len(out.Items))
	for _, item := range existing.Items {
		i := slices.IndexFunc(template.Items, func(t *loader.Value) bool {
			return item.Str("name") != "" && item.Str("name") == t.Str("name") || loader.Equal(mergedValue(item, t), item)
		})
		if i < 0 || used[i] {
			out.Items = append(out.Items, item)
			continue
		}
		used[i] = true
		out.Items[i] = mergedValue(item, template.Items[i])
	}
	return &out
}
