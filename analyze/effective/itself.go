package effective

import (
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/analyze/policy"
)

// ByItself is what one policy comes to at a target that is not in the input, as if nothing
// else were said: one spec, or one for each level of targets where a kind tells them apart,
// nil where nothing of it is for that level.
func ByItself(k *policy.Kind, p *policy.Policy, target hierarchy.Target) []*merge.Tree {
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
		own := single(p, policy.Level{Level: declared(target)})
		own.target = target
		if p.Spec != nil {
			out[i] = settled(k, combineAt(k, []element{own}, at), at)
		}
	}
	return out
}

// declared is the level of a target by its kind, and by whether it is a section.
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
