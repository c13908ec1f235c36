package unseen

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/applied"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// takeovers finds deployers that begin to apply objects which were applied without them before, and that may apply
// nothing: they are suspended, they wait for a person, or they have settings that are not followed and that the former
// deployer does not have. An object that moves to such a deployer is removed from the cluster although the tree still
// has it. For a deployer that base has, too, only settings that hold back everything count, because its other settings
// did not keep it from applying objects before.
func takeovers(s *search, pair applied.Pair) {
	if pair.Base == nil || pair.Head == nil {
		return
	}
	before, after := byControlled(pair.Base), byControlled(pair.Head)
	former, deployed := pair.Base.ByID(), pair.Base.Deployers()
	told := map[loader.ID]bool{}
	for _, o := range pair.Head.Objects {
		was := former[o.ID]
		if was == nil || o.Context || o.Deployer == nil {
			continue
		}
		if deployed[o.Deployer.ID] != nil && installed(o) && !installed(was) && !told[o.Deployer.ID] {
			told[o.Deployer.ID] = true
			u := s.add(o.Deployer.ID.Spoken(), plan.EditChanged, pair.Name(), o.First(), []string{"crds/ of its chart, which an upgrade leaves out"})
			u.Unfollowed, u.TakesOver = true, o.ID.Spoken()
		}
		if o.Deployer.IsBelow(was.Deployer) {
			continue
		}
		var formerly loader.Control
		automatic := true
		if was.Deployer != nil {
			formerly, automatic = before[was.Deployer.ID], !was.Deployer.Manual
		}
		for d := o.Deployer; d != nil && !was.Deployer.IsBelow(d); d = d.Parent {
			if told[d.ID] {
				continue
			}
			told[d.ID] = true
			c := after[d.ID]
			_, known := before[d.ID]
			fields, at := withheld(d, c, formerly, known)
			if d.Manual && automatic {
				fields = append(fields, "syncPolicy.automated")
			}
			if earlier := deployed[d.ID]; earlier != nil && d.Chart.StaysAs(earlier.Chart) {
				fields = append(fields, "its chart has the version of before")
			}
			if at.File == "" {
				at = d.At
			}
			moved := slices.ContainsFunc(s.found, func(u plan.Unseen) bool {
				return u.What == c.What && (u.Unfollowed || u.MayMatter()) && slices.Contains(u.Environments, pair.Name())
			})
			if len(fields) > 0 && !moved {
				change := plan.EditAdded
				if known {
					change = plan.EditChanged
				}
				u := s.add(cmp.Or(c.What, d.ID.Spoken()), change, pair.Name(), at, fields)
				u.Unfollowed, u.TakesOver = true, o.ID.Spoken()
			}
		}
	}
}

// installed reports whether an object is from the crds folder of the chart of a HelmRelease. Helm applies it with the first
// installation alone, and deletes what it had applied from elsewhere in the chart (helm pkg/action/install.go, installCRDs;
// helm-controller api/v2, CRDsPolicy).
func installed(o *loader.Object) bool {
	file := "/" + o.First().File
	return o.Deployer != nil && o.Deployer.ID.Kind == "HelmRelease" && strings.Contains(file, "/crds/") && !strings.Contains(file, "/templates/")
}

// holding are settings by which a deployer of any kind may apply nothing. Others are compared with those of a former deployer of
// the same kind.
var holding = []string{"apiVersion", "dependsOn", "dependsOn.readyExpr", "kubeConfig", "reconcile", "skip-reconcile"}

// missing are settings by which one that is new may apply nothing, whatever applied its objects before: its rights, where it keeps
// its state, and values without which there is no release.
var missing = []string{"serviceAccountName", "storageNamespace", "valuesFrom"}

// withholds reports whether a setting may keep a deployer from applying anything. known means that base has the deployer, too; alike,
// that the former deployer is of its kind.
func withholds(field string, known, alike bool) bool {
	return slices.Contains(holding, field) || !known && (alike || slices.Contains(missing, field))
}

// withheld returns the settings by which a deployer may apply nothing, and where the first of them is. known means that base has the
// deployer, too.
func withheld(d *loader.Deployer, c, former loader.Control, known bool) (fields []string, at loader.Position) {
	alike := former.ID.Group == c.ID.Group && former.ID.Kind == c.ID.Kind
	if d.Suspended {
		fields, at = []string{"suspend"}, d.At
	}
	for _, one := range c.Settings {
		usual := one.Variable != "" || one.Field == "decryption" || slices.Contains(fields, one.Words) || !withholds(one.Field, known, alike)
		if usual || slices.ContainsFunc(former.Settings, func(other loader.Setting) bool { return other.Words == one.Words && other.Content == one.Content }) {
			continue
		}
		if fields = append(fields, one.Words); len(fields) == 1 {
			at = one.At
		}
	}
	return fields, at
}
