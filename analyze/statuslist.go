package analyze

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/selection"
	"github.com/gwplan/gwplan/analyze/status"
	"github.com/gwplan/gwplan/loader"
)

// ListStatus returns the status of the selected objects of each environment.
func ListStatus(s *loader.Snapshot, sel selection.Selection, o Options) *plan.StatusList {
	sel = sel.Object() // a status belongs to a whole object
	list := &plan.StatusList{APIVersion: "v1", Kind: "List"}
	list.Notes, list.Problems = o.each(s, func(r *effective.Run) {
		environment := r.Environment.Name
		list.Environments = append(list.Environments, environment)
		for _, one := range status.Of(r) {
			if sel.Matches(hierarchy.Target{ID: one.Object.ID}) && o.Filter.node(one.Object.ID.String()) {
				item := statusObject(r, one)
				item.Environment = environment
				list.Items = append(list.Items, item)
			}
		}
	})
	if len(list.Environments) > 1 {
		for i := range list.Items {
			list.Items[i].Metadata["annotations"] = map[string]any{plan.EnvironmentAnnotation: list.Items[i].Environment}
		}
	}
	return list
}

func statusObject(r *effective.Run, one status.Object) plan.StatusObject {
	id := one.Object.ID
	out := plan.StatusObject{
		APIVersion: one.Object.Version, Kind: id.Kind, Metadata: map[string]any{"name": id.Name}, Status: one.Status, Node: id.String(),
	}
	if id.Group != "" {
		out.APIVersion = id.Group + "/" + one.Object.Version
	}
	if id.Namespace != "" {
		out.Metadata["namespace"] = id.Namespace
	}
	k := r.Attached.KindOf(id)
	out.Spec = effective.Redact(k.Discloses(), "", merge.JSON(written(one.Object.Spec())))
	return out
}

// written returns a value without the parts that only the API's defaults set.
func written(v *loader.Value) *loader.Value {
	if v == nil || v.Shape != loader.Map && v.Shape != loader.List {
		return v
	}
	out := *v
	out.Fields, out.Items = nil, nil
	for _, f := range v.Fields {
		if !f.Value.Defaulted {
			out.Fields = append(out.Fields, loader.Field{Key: f.Key, Value: written(f.Value)})
		}
	}
	for _, item := range slices.DeleteFunc(slices.Clone(v.Items), func(item *loader.Value) bool { return item.Defaulted }) {
		out.Items = append(out.Items, written(item))
	}
	return &out
}
