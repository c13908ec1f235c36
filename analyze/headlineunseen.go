package analyze

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/internal/spelling"
)

// withUnseen adds to a headline the changes that the analysis did not see. A headline that says that no
// target is affected holds only for what was seen.
func withUnseen(known claim, unaffected bool, unseen []plan.Unseen) claim {
	var matter, silent, fresh, opaque, left, unused, changes, unfollowed, uncompared []string
	const calmly = "; no changed key is about routes"
	const isNew, areNew = "is added and not rendered, so what it brings is not known", "are added and not rendered, so what they bring is not known"
	global := false
	for _, u := range unseen {
		switch words := notFollowed(u); {
		case u.Unused:
			unused = append(unused, u.What+" "+verbOf(u.Change)+", and nothing that was read refers to it")
		case words != "":
			unfollowed = append(unfollowed, words)
			global = global || u.Global
		case u.Uncompared:
			uncompared = append(uncompared, u.What)
		case u.MayMatter():
			matter = append(matter, u.What)
			changes = append(changes, u.MayChange())
		case u.LeftOut:
			left = append(left, u.What)
		case u.Opaque:
			opaque = append(opaque, u.What)
		case u.Change == plan.EditAdded:
			fresh = append(fresh, u.What)
		default:
			silent = append(silent, u.What)
		}
	}
	unused = slices.Compact(unused)
	matter = slices.DeleteFunc(matter, func(file string) bool { // nothing of it is applied
		return strings.Contains(known.text, ": "+file+": ")
	})
	switch isCalm := known == calm(); {
	case len(uncompared) > 0 && isCalm:
		return notKnown(about(uncompared, "changes, and its connections are too many to compare", "change, and their connections are too many to compare"))
	case len(matter) > 0 && isCalm:
		what, first := mayChange(changes), ""
		if len(unfollowed) > 0 {
			first = about(unfollowed, "(not followed)", "(not followed)") + "; "
		}
		return notKnown(first + about(matter, "changes, is not rendered and may change "+what, "change, are not rendered and may change "+what))
	case len(unfollowed) > 0 && (isCalm || unaffected && global):
		return notKnown(about(unfollowed, "(not followed)", "(not followed)"))
	case len(unused) > 0 && (isCalm || unaffected):
		return notKnown(unused[0] + spelling.More(len(unused)-1))
	case len(opaque) > 0 && isCalm:
		return notKnown(about(opaque, "changes and was not analysed", "change and were not analysed"))
	case len(uncompared) > 0:
		return known.and("; " + about(uncompared, "is not compared", "are not compared"))
	case len(matter) > 0:
		if len(unfollowed) > 0 {
			known = known.and("; " + about(unfollowed, "(not followed)", "(not followed)"))
		}
		return known.and("; " + about(matter, "is not rendered and may change more", "are not rendered and may change more"))
	case len(unfollowed) > 0:
		return known.and("; " + about(unfollowed, "(not followed)", "(not followed)"))
	case unaffected && len(opaque) > 0:
		return known.and("; " + about(opaque, "changes but was not analysed", "change but were not analysed"))
	case !isCalm && unaffected && len(fresh) > 0:
		return known.and("; " + about(fresh, isNew, areNew))
	case len(fresh) > 0 && isCalm:
		known.first = about(fresh, isNew, areNew) + "; "
		known.text = " in what is rendered"
		if len(silent) > 0 {
			known.text += "; " + about(silent, "changes but was not analysed"+calmly, "change but were not analysed"+calmly)
		}
		return known
	case !isCalm && unaffected && len(silent) > 0:
		return known.and("; " + about(silent, "changes but was not analysed"+calmly, "change but were not analysed"+calmly))
	case !isCalm:
		return known
	case len(silent) > 0:
		return known.and(" in what is rendered; " + about(silent, "changes but was not analysed"+calmly, "change but were not analysed"+calmly))
	case len(left) > 0:
		return known.and(": " + about(left, "changes, but nothing deploys it", "change, but nothing deploys them"))
	}
	return known
}

// notFollowed describes a change of something whose effect is not followed, with what uses it. It is "" for other changes.
func notFollowed(u plan.Unseen) string {
	switch {
	case u.Waited:
		return "what waited in " + u.What + " takes effect"
	case u.Sealed:
		return u.What + ", which " + u.Says[0] + " reads, " + verbOf(u.Change)
	case u.Makes != "":
		return u.What + ", which makes " + u.Makes + " for " + u.Says[0] + ", " + verbOf(u.Change)
	case u.Reprogrammed():
		return u.What + ", which " + u.Behind[0] + " asks, " + verbOf(u.Change)
	case len(u.Behind) > 0:
		return u.What + ", which gets requests of " + u.Behind[0] + ", " + verbOf(u.Change)
	case u.Version:
		return u.What + " as " + u.Says[0]
	case u.Uncompared:
		return ""
	case u.Relabelled:
		return u.What + ", whose pods " + u.Says[0] + spelling.More(len(u.Says)-1) + " may select by their labels or ports, changes"
	case u.Account != "":
		return u.What + " sends requests as ServiceAccount " + u.Account
	case u.Global:
		return u.What + ", which is for " + u.Says[0] + ", " + verbOf(u.Change)
	case u.TakesOver != "":
		return u.What + " takes over " + u.TakesOver + " and may apply nothing (" + spelling.Few(u.Says) + ")"
	case u.Unfollowed || u.ForOthers:
		return u.What + " changes " + spelling.Few(u.Says)
	}
	return ""
}

// about says of the first of several things, and how many more there are, what one or many of them do.
func about(list []string, one, many string) string {
	list = slices.Compact(list)
	if len(list) == 1 {
		return list[0] + " " + one
	}
	return fmt.Sprintf("%s and %d more %s", list[0], len(list)-1, many)
}

// withOutside adds to a headline how many changes a filter leaves out: without these it would be taken for all of them.
func withOutside(known claim, outside int) claim {
	if outside == 0 {
		return known
	}
	where := "the selection"
	if known.calm {
		known.text, where = " in "+where+known.text, "it"
	}
	return known.and("; " + spelling.Count(outside, "change") + " outside " + where)
}

// verbOf says what becomes of something that is not followed.
func verbOf(change string) string {
	switch change {
	case plan.EditAdded:
		return "is added"
	case plan.EditRemoved:
		return "is removed"
	}
	return "changes"
}

// mayChange joins what several changes may affect.
func mayChange(list []string) string {
	slices.Sort(list)
	if list = slices.Compact(list); len(list) == 1 {
		return list[0]
	}
	return "routes and network policies"
}
