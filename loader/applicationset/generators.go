package applicationset

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/gwplan/gwplan/internal/yamltext"
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/gotemplate"
	"github.com/gwplan/gwplan/loader/manifest"
)

// sets returns the parameter sets of one entry of generators. given are the parameters of
// the other generator of a matrix. depth counts the enclosing matrix and merge generators,
// which may nest once (generators/utils.go).
func (g *generator) sets(item *loader.Value, given params, depth int) ([]params, *Problem) {
	var all []params
	for _, f := range item.FieldList() {
		var out []params
		var p *Problem
		switch f.Key {
		case "list":
			out, p = g.list(f.Value, given)
		case "git":
			out, p = g.git(f.Value, given)
		case "matrix":
			out, p = g.matrix(f.Value, given, depth)
		case "merge":
			out, p = g.merge(f.Value, given, depth)
		case "clusterDecisionResource":
			out, p = g.decisions(f.Value, given)
		case "selector", "template":
			continue
		default:
			p = &Problem{
				loader.UnresolvedSet, fmt.Sprintf("the generator %q of the ApplicationSet needs data that is not in the repository; its Applications are unknown", clip(f.Key)),
				"name the environments in .gwplan.yaml, or give the rendered Applications", at(f.Value, g.root),
			}
		}
		if p == nil {
			out, p = g.selected(out, item.Get("selector"))
		}
		if p != nil {
			return nil, p
		}
		if all = append(all, out...); len(all) > MaxApplications {
			return nil, &Problem{loader.LimitApplications, fmt.Sprintf("a generator of the ApplicationSet gives more than %d sets of parameters", MaxApplications), "split it", at(f.Value, g.root)}
		}
	}
	return all, nil
}

// values renders the values of a generator with its own parameters and those of the other
// generator of a matrix. One value cannot refer to another (value_interpolation.go).
func (g *generator) values(set, given params, values *loader.Value) error {
	if len(values.FieldList()) == 0 {
		return nil
	}
	seen := set
	if len(given) > 0 {
		seen = maps.Clone(given)
		maps.Copy(seen, set)
	}
	own := map[string]any{}
	for _, f := range values.Fields {
		text, err := g.text(f.Value.Text, seen)
		if err != nil {
			return err
		}
		own[f.Key] = text
	}
	if g.goTemplate {
		set["values"] = own
		return nil
	}
	for key, text := range own {
		set["values."+key] = text
	}
	return nil
}

// list returns a set for each item of elements and elementsYaml (generators/list.go).
func (g *generator) list(v *loader.Value, given params) ([]params, *Problem) {
	elements := v.List("elements")
	if text := v.Str("elementsYaml"); text != "" {
		rendered, err := g.text(text, given)
		if err != nil {
			return nil, g.failed(v, err)
		}
		docs, problems := manifest.Parse([]byte(rendered), g.limits)
		if len(problems) > 0 || len(docs) > 1 || len(docs) == 1 && docs[0].Shape != loader.List {
			return nil, g.failed(v, fmt.Errorf("elementsYaml is not a list"))
		}
		for _, doc := range docs {
			elements = slices.Concat(elements, doc.Items)
		}
	}
	var out []params
	if err := g.budget.Spend(len(elements), 0); err != nil {
		return nil, g.failed(v, err)
	}
	for _, element := range elements {
		rendered, err := g.render(element, given)
		if err != nil {
			return nil, g.failed(v, err)
		}
		set := params{}
		for _, f := range rendered.FieldList() {
			switch {
			case g.goTemplate:
				set[f.Key] = f.Value.Decoded()
			case f.Key == "values":
				for _, own := range f.Value.FieldList() {
					set["values."+own.Key] = own.Value.Text
				}
			case f.Value.Shape != loader.String:
				return nil, g.failed(f.Value, fmt.Errorf("the value of %q must be a string unless goTemplate is true", clip(f.Key)))
			default:
				set[f.Key] = f.Value.Text
			}
		}
		out = append(out, set)
	}
	return out, nil
}

// matrix combines each set of the first generator with each of the second, which may use
// the parameters of the first (generators/matrix.go). With Go templates the first wins.
func (g *generator) matrix(v *loader.Value, given params, depth int) ([]params, *Problem) {
	children := v.List("generators")
	if len(children) != 2 || depth > 1 {
		return nil, g.failed(v, fmt.Errorf("a matrix must have exactly two generators and may be nested only once"))
	}
	first, p := g.sets(children[0], given, depth+1)
	if p != nil {
		return nil, p
	}
	var out []params
	for _, a := range first {
		if err := g.budget.Spend(1, 0); err != nil {
			return nil, g.failed(v, err)
		}
		seen := maps.Clone(a)
		for key, value := range given {
			if _, own := seen[key]; !own {
				seen[key] = value
			}
		}
		second, p := g.sets(children[1], seen, depth+1)
		if p != nil {
			return nil, p
		}
		if err := g.budget.Spend(len(second), 0); err != nil {
			return nil, g.failed(v, err)
		}
		for _, b := range second {
			set := params{}
			maps.Copy(set, b)
			if g.goTemplate {
				set = deep(set, a)
			}
			for _, key := range slices.Sorted(maps.Keys(a)) {
				if was, twice := set[key]; twice && !g.goTemplate && was != a[key] {
					return nil, g.failed(v, fmt.Errorf("both generators of the matrix set %q", clip(key)))
				}
				if !g.goTemplate {
					set[key] = a[key]
				}
			}
			if out = append(out, set); len(out) > MaxApplications {
				return nil, g.failed(v, errTooMany)
			}
		}
	}
	return out, nil
}

// merge overrides the sets of the first generator by those of the later ones with equal
// mergeKeys (generators/merge.go).
func (g *generator) merge(v *loader.Value, given params, depth int) ([]params, *Problem) {
	children, keys := v.List("generators"), v.List("mergeKeys")
	if len(children) < 2 || len(keys) == 0 || depth > 1 {
		return nil, g.failed(v, fmt.Errorf("a merge must have at least two generators and mergeKeys, and may be nested only once"))
	}
	identity := func(set params) string {
		var out string
		for _, key := range keys {
			out += strconv.Quote(fmt.Sprint(set[key.Text]))
		}
		return out
	}
	keyed := func(child *loader.Value) ([]params, map[string]params, *Problem) {
		sets, p := g.sets(child, given, depth+1)
		if p == nil {
			if err := g.budget.Spend(len(sets), 0); err != nil {
				p = g.failed(v, err)
			}
		}
		if p != nil {
			return nil, nil, p
		}
		byKey := map[string]params{}
		for _, set := range sets {
			if byKey[identity(set)] != nil {
				return nil, nil, g.failed(v, fmt.Errorf("two sets of one generator have the same mergeKeys"))
			}
			byKey[identity(set)] = set
		}
		return sets, byKey, nil
	}
	base, _, p := keyed(children[0])
	if p != nil {
		return nil, p
	}
	for _, child := range children[1:] {
		_, over, p := keyed(child)
		if p != nil {
			return nil, p
		}
		for i, set := range base {
			by := over[identity(set)]
			switch {
			case by == nil:
			case g.goTemplate:
				base[i] = deep(set, by)
			default:
				base[i] = maps.Clone(set)
				maps.Copy(base[i], by)
			}
		}
	}
	slices.SortStableFunc(base, func(a, b params) int { return compareParams(a, b, keys[0].Text) })
	return base, nil
}

// errTooMany means that a generator gives more than is read here; Argo CD has no such limit.
var errTooMany = fmt.Errorf("the matrix gives more than %d sets", MaxApplications)

// limited reports whether a limit of ours is the reason for an error: Argo CD may make the Applications.
func limited(budget *gotemplate.Budget, err error) bool {
	return budget.Err() != nil || loader.IsLimit(err) || errors.Is(err, errTooMany) || errors.Is(err, yamltext.ErrTooLong)
}

// failed is the problem that a generator fails.
func (g *generator) failed(v *loader.Value, err error) *Problem {
	if limited(g.budget, err) {
		return &Problem{loader.LimitApplications, "a generator of the ApplicationSet is not followed: " + err.Error(), "make it smaller; its Applications are unknown", at(v, g.root)}
	}
	return &Problem{loader.ArgoGeneratorFails, "a generator of the ApplicationSet fails: " + err.Error(), "correct it; Argo CD makes none of its Applications until then", at(v, g.root)}
}

// deep merges over into base recursively; over wins (mergo, WithOverride).
func deep[M ~map[string]any](base, over M) M {
	out := maps.Clone(base)
	for key, value := range over {
		a, isMap := out[key].(map[string]any)
		b, alsoMap := value.(map[string]any)
		if isMap && alsoMap {
			out[key] = deep(a, b)
			continue
		}
		out[key] = value
	}
	return out
}
