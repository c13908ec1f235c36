package effective

import (
	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/analyze/policy"
)

// ByItself returns the specs that one policy results in at a target that is not in the input, if
// there is no other policy. It is one spec, or one for each effective level if the kind
// distinguishes levels. A spec is nil if the policy sets nothing for that level.
func ByItself(k *catalogue.Kind, p *policy.Policy, target hierarchy.Target) []*merge.Tree {
	if k.Older() {
		return []*merge.Tree{p.Spec}
	}
	levels := k.EffectiveLevels()
	switch {
	case len(levels) == 0:
		levels = []hierarchy.Level{declared(target)}
	case k.Settling.Fold == nil:
		levels = levels[:1] // all get the same
	}
	out := make([]*merge.Tree, len(levels))
	for i, level := range levels {
		at := &hierarchy.Node{Target: target, Level: level}
		own := single(p, catalogue.Level{Level: declared(target)})
		own.target = target
		if p.Spec != nil {
			out[i] = settled(k, combineAt(k, []element{own}, at), at)
		}
	}
	return out
}

// declared returns the level of a target from its kind and from whether it is a section.
func declared(target hierarchy.Target) hierarchy.Level {
	level := hierarchy.LevelOf(target.Group, target.Kind)
	if target.Section == "" {
		return level
	}
	switch level {
	case hierarchy.LevelGateway, hierarchy.LevelListenerSet:
		return hierarchy.LevelListener
	case hierarchy.LevelRoute:
		return hierarchy.LevelRule
	case hierarchy.LevelBackend:
		return hierarchy.LevelPort
	default:
		return level
	}
}
