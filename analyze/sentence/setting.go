package sentence

import (
	"cmp"
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/change"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/protection"
	"github.com/gwplan/gwplan/loader"
)

// effectOf returns the effect of a changed field on its setting. Adding or removing a part of a
// setting that exists on both sides is a change of the setting.
func effectOf(c *change.Compared, f plan.Field, setting string) effect {
	_, other, after := c.Effective()
	e := gains
	switch f.Action {
	case plan.FieldChanged:
		return changes
	case plan.FieldRemoved:
		other, e = after, loses
	case plan.FieldAdded:
	}
	if switchesOff(f) { // what it switches off is not there with it
		return map[effect]effect{gains: loses, loses: gains}[e]
	}
	if c.PolicyKind == nil && (inList(f.Path) || replaced(c, setting)) {
		return changes
	}
	if c.PolicyKind == nil || other == nil {
		return e
	}
	stays := other.Spec.At(setting) != nil || other.Yields(catalogue.Dotted(f.Path))
	if keys, _ := f.Keys(); len(keys) > 0 {
		stays = other.Has(keys) || otherKey(c, f) != ""
	}
	if stays {
		return changes
	}
	return e
}

// switchesOff reports whether a field that comes or goes switches off what it is part of.
func switchesOff(f plan.Field) bool {
	last := f.Path[strings.LastIndexByte(f.Path, '/')+1:]
	if f.After == true || f.Before == true {
		return strings.EqualFold(last, "disabled") || strings.EqualFold(last, "disable")
	}
	return false
}

// inList reports whether a field is inside an item of a list.
func inList(path string) bool { return strings.Contains(path, "[") }

// ofOtherNamespaces reports whether a field belongs to a selector of namespaces that comes or goes because another word decides about
// namespaces now, which has a sentence of its own.
func ofOtherNamespaces(c *change.Compared, f plan.Field) bool {
	around, _, selects := strings.Cut(f.Path, "/namespaces/selector/")
	return selects && c.PolicyKind == nil && slices.ContainsFunc(c.Fields, func(other plan.Field) bool { return other.Path == around+"/namespaces/from" })
}

// replaced reports whether a change of an object's own fields changes something of a setting, or both removes something
// from it and adds something.
func replaced(c *change.Compared, setting string) bool {
	has := func(action plan.Action) bool {
		return slices.ContainsFunc(c.Fields, func(f plan.Field) bool {
			path := catalogue.Dotted(f.Path)
			return f.Action == action && (path == setting || strings.HasPrefix(path, setting+".") || strings.HasPrefix(path, setting+"["))
		})
	}
	return has(plan.FieldChanged) || has(plan.FieldRemoved) && has(plan.FieldAdded)
}

// setting returns the path of a field as a sentence names it: the top-level setting if all of it is
// added or removed, else the path up to the first list item, cut to the available length. If the effective policy
// lists whole policies, item is the one that has the field.
func setting(t *catalogue.Table, c *change.Compared, f plan.Field) (item, path string) {
	if keys, rest := f.Keys(); len(keys) > 0 && c.PolicyKind != nil {
		name := keys[len(keys)-1]
		if !strings.Contains(name, "/") {
			return "", c.PolicyKind.Kind
		}
		if other := counterpart(c, f); f.Action != plan.FieldChanged && !other.Has(keys) {
			rest = ""
		}
		return loader.Spoken(name), cut(catalogue.Dotted(rest))
	}
	return "", fieldSetting(t, c, f)
}

// counterpart returns the effective policy that does not have an added or removed field.
func counterpart(c *change.Compared, f plan.Field) *effective.Policy {
	_, before, after := c.Effective()
	if f.Action == plan.FieldAdded {
		return before
	}
	return after
}

// otherKey says from which list of policies to which other one a policy moved, such as " from DENY to ALLOW", or "" if
// it is on one side only.
func otherKey(c *change.Compared, f plan.Field) string {
	keys, _ := f.Keys()
	_, before, after := c.Effective()
	if len(keys) < 2 || before == nil || after == nil {
		return ""
	}
	listed := func(p *effective.Policy) string {
		for _, e := range p.Spec.Children() {
			if e.Tree.Get(keys[1]) != nil {
				return e.Key
			}
		}
		return ""
	}
	if b, a := listed(before), listed(after); b != "" && a != "" && a != b {
		return " from " + b + " to " + a
	}
	return ""
}

func fieldSetting(t *catalogue.Table, c *change.Compared, f plan.Field) string {
	kind, before, after := c.Effective()
	own := before
	if f.Action == plan.FieldAdded {
		own = after
	}
	path := catalogue.Dotted(plain(f.Path))
	if filter := filterSetting(f); filter != "" && c.PolicyKind == nil {
		return filter
	}
	top, _, _ := strings.Cut(path, ".")
	top, _, _ = strings.Cut(top, "[")
	if other := counterpart(c, f); f.Action != plan.FieldChanged && (other == nil || other.Spec.Get(top) == nil) {
		part := onlyPart(c, f, top)
		if kind != nil && part == top && !t.HasWords(kind, top) { // a group of settings, such as traffic of agentgateway
			part = cmp.Or(namedPart(t, kind, own, nil, path), top)
		}
		return part
	} else if f.Action != plan.FieldChanged && kind != nil && !t.HasWords(kind, top) {
		if part := namedPart(t, kind, own, other, path); part != "" {
			return part
		}
	}
	if strings.HasPrefix(path, "backendRefs[") && strings.HasSuffix(path, "].weight") && c.PolicyKind == nil {
		return "backendRefs.weight"
	}
	return cut(path)
}

// filterFields are the fields of the filters of routes, by their types (Gateway API apis/v1/httproute_types.go, HTTPRouteFilter).
var filterFields = map[string]string{
	"requestHeaderModifier": "RequestHeaderModifier", "responseHeaderModifier": "ResponseHeaderModifier", "requestMirror": "RequestMirror",
	"requestRedirect": "RequestRedirect", "urlRewrite": "URLRewrite", "cors": "CORS", "externalAuth": "ExternalAuth", "extensionRef": "ExtensionRef",
}

// filterSetting returns the setting of a field in the filters of a route if it is about filters of one type, else "".
func filterSetting(f plan.Field) string {
	types := map[string]bool{}
	if rest, within := strings.CutPrefix(f.Path, "/filters["); within && !strings.HasSuffix(rest, "]") {
		_, rest, _ = strings.Cut(rest, "]/")
		field, _, _ := strings.Cut(rest, "/")
		types[filterFields[field]] = true
	} else if strings.HasPrefix(f.Path, "/filters") && f.Action != plan.FieldChanged {
		value := cmp.Or(f.After, f.Before)
		list, is := value.([]any)
		if !is {
			list = []any{value}
		}
		for _, item := range list {
			filter, _ := item.(map[string]any)
			name, _ := filter["type"].(string)
			types[name] = true
		}
	}
	for name := range types {
		if len(types) == 1 && slices.Contains(slices.Collect(maps.Values(filterFields)), name) {
			return "filters." + name
		}
	}
	return ""
}

// namedPart returns the outermost step of a path that has words, that the other side does not have, and in which nothing has words of its
// own, or "".
func namedPart(t *catalogue.Table, kind *catalogue.Kind, own, other *effective.Policy, path string) string {
	for end := range len(path) {
		if path[end] == '[' {
			break
		}
		if end+1 < len(path) && path[end+1] != '.' {
			continue
		}
		part := path[:end+1]
		if !t.HasWords(kind, part) || other != nil && other.Spec.At(part) != nil {
			continue
		}
		if !slices.ContainsFunc(own.Spec.At(part).Children(), func(e merge.Entry) bool { return t.HasWords(kind, part+"."+e.Key) }) {
			return part
		}
	}
	return ""
}

// onlyPart returns the path of the only thing that a setting holds which comes or goes as a whole, if its kind has words for it: of
// rules that only authenticate a sentence does not say that they authorise.
func onlyPart(c *change.Compared, f plan.Field, top string) string {
	kind, before, after := c.Effective()
	own := before
	if f.Action == plan.FieldAdded {
		own = after
	}
	if kind == nil || own == nil {
		return top
	}
	named := top
	for path, t := top, own.Spec.Get(top); t != nil && len(t.Entries) == 1; {
		only := t.Entries[0]
		path, t = path+"."+only.Key, only.Tree
		if kind.Settings["/"+path] != "" || kind.Settings[only.Key] != "" {
			named = path
		}
	}
	return named
}

// plain returns a path up to the first key that has a dot or a slash, such as the name of an annotation: it would not be read as one
// key.
func plain(path string) string {
	var out []string
	for i, key := range strings.Split(path, "/") {
		if i > 1 && !strings.Contains(key, "[") && strings.ContainsAny(key, ".~") {
			break
		}
		out = append(out, key)
	}
	return strings.Join(out, "/")
}

// cut returns a path up to the first list item, cut to the available length.
func cut(path string) string {
	path, _, _ = strings.Cut(path, "[")
	for len(path) > maxSetting && strings.Contains(path, ".") {
		path = path[:strings.LastIndexByte(path, '.')]
	}
	return path
}

// maxSetting is how long the path of a setting may be in a sentence, in bytes.
const maxSetting = 48

// isLowered reports whether a field is a protecting one that gets a lower value.
func isLowered(s protection.Shift, f plan.Field) bool {
	return slices.ContainsFunc(s.Lowered, func(lower protection.Field) bool { return lower.Path == f.Path })
}

// isExposed reports whether a field decides from where its target can be reached, and is lower, or gone, than before.
func isExposed(s protection.Shift, f plan.Field) bool {
	return slices.ContainsFunc(slices.Concat(s.Lost, s.Lowered), func(lower protection.Field) bool {
		return lower.What == protection.Exposure && lower.Path == f.Path
	})
}

// isWeakened reports whether a field, or one inside it or around it, is a protecting one that protects less.
func isWeakened(s protection.Shift, f plan.Field) bool {
	path := steps(f)
	return slices.ContainsFunc(slices.Concat(s.Lost, s.Lowered, s.Weakened, s.LetIn), func(weaker protection.Field) bool {
		return isAtOrBelow(path, weaker.Path) || isAtOrBelow(weaker.Path, path) || weaker.IsAt(path)
	})
}

// letIn returns the dotted path of what a changed field of a named item newly lets in, such as an audience of a provider, or "". The path
// of several things ends where they differ.
func letIn(s protection.Shift, f plan.Field) string {
	at := steps(f)
	depth, found := strings.Count(at, "/"), ""
	for _, one := range s.LetIn {
		around := one
		names := strings.Split(one.Path, "/")
		around.Path = strings.Join(names[:min(depth+1, len(names))], "/")
		switch {
		case !around.IsAt(at):
		case found == "":
			found = one.Path
		default:
			found = around.Path
		}
	}
	return catalogue.Dotted(found)
}

// losesPart reports whether a field that goes is a part of a protection that stays.
func losesPart(s protection.Shift, f plan.Field) bool {
	return slices.ContainsFunc(s.Lost, func(lost protection.Field) bool {
		return lost.IsPart() && (lost.IsAt(steps(f)) || isAtOrBelow(steps(f), lost.Path))
	})
}

// steps returns the path of a field with list keys as steps, as protecting fields have it.
func steps(f plan.Field) string { return strings.NewReplacer("[", "/", "]", "").Replace(f.Path) }

// isAtOrBelow reports whether a path is another one or below it.
func isAtOrBelow(inner, outer string) bool {
	return inner == outer || strings.HasPrefix(inner, outer+"/")
}

// loosensByAddition reports whether a field that is added makes an existing protection admit more, or is itself a
// permission.
func loosensByAddition(s protection.Shift, f plan.Field) bool {
	return isWeakened(s, f) && !slices.ContainsFunc(s.Tightened, func(t protection.Field) bool { return isAtOrBelow(steps(f), t.Path) })
}

// ratesOf returns the rates that a field allows before and after, if its time differs, too, and whether it is the time of such a field.
func ratesOf(s protection.Shift, f plan.Field) (rates string, isTime bool) {
	for _, one := range slices.Concat(s.Weakened, s.Edited, s.Tightened) {
		switch {
		case one.IsTimeOf(steps(f)):
			return "", true
		case one.Rates != "" && (one.Path == steps(f) || one.IsAt(steps(f))):
			return one.Rates, false
		}
	}
	return "", false
}

// isNew reports whether a field that is added is of another way to authenticate, which newly lets requests in.
func isNew(s protection.Shift, f plan.Field) bool {
	return strings.HasPrefix(catalogue.Dotted(f.Path), identities+".") && slices.ContainsFunc(s.LetIn, func(more protection.Field) bool {
		return more.What == protection.Authentication && more.Before == nil && isAtOrBelow(steps(f), more.Path)
	})
}

// trustsMore reports whether a field that is added lets TLS accept more certificates.
func trustsMore(s protection.Shift, f plan.Field) bool {
	return slices.ContainsFunc(s.LetIn, func(more protection.Field) bool {
		return more.Trusts() && (isAtOrBelow(steps(f), more.Path) || isAtOrBelow(more.Path, steps(f)))
	})
}

// inner names the field inside a setting whose values a sentence tells, if the path of the setting does not end with it.
func inner(f plan.Field, setting string) string {
	if f.Action != plan.FieldChanged || values(f) == "" {
		return ""
	}
	path, _, _ := strings.Cut(f.Path[strings.LastIndexByte(f.Path, '/')+1:], "[")
	if path == "" || setting == "" || path == setting || strings.HasSuffix(setting, "."+path) {
		return ""
	}
	return ", " + strings.NewReplacer("~1", "/", "~0", "~").Replace(path)
}

// values returns " from A to B" for a changed field with two short values, and the addresses of a field that is added.
func values(f plan.Field) string {
	if f.Action == plan.FieldAdded {
		return addresses(f.After)
	}
	before, ok := scalar(f.Before)
	after, too := scalar(f.After)
	if f.Action != plan.FieldChanged || !ok || !too {
		return ""
	}
	if before == after { // a number, and the same digits as text
		before, after = quoted(f.Before), quoted(f.After)
	}
	return " from " + before + " to " + after
}

// quoted is a short value as it is written in JSON, which tells a text from a number.
func quoted(v any) string {
	if text, is := v.(string); is {
		return strconv.Quote(text)
	}
	return fmt.Sprint(v)
}

// byDefault returns the effect and the values of a field that one side leaves to the controller, if its default is
// known.
func byDefault(c *change.Compared, f plan.Field) (e effect, values string, ok bool) {
	k, before, after := c.Effective()
	unset, known := k.DefaultOf(catalogue.Dotted(f.Path))
	set := f.Before
	if f.Action == plan.FieldAdded {
		set = f.After
	}
	text, short := scalar(set)
	path := catalogue.Dotted(f.Path)
	around := path[:max(strings.LastIndexByte(path, '.'), 0)]
	switch {
	case !known && short && f.Action != plan.FieldChanged && k.IsDefault(path, text) && has(before, around) && has(after, around):
		return keeps, ", " + text + ", as its default", true
	case !known || !short || f.Action == plan.FieldChanged:
		return changes, "", false
	case text == unset:
		return keeps, ", " + unset + ", as its default", true
	case f.Action == plan.FieldAdded:
		return changes, " from the default, " + unset + ", to " + text, true
	}
	return changes, " from " + text + " to the default, " + unset, true
}

// has reports whether an effective policy has the setting at a path; "" is its whole spec.
func has(p *effective.Policy, path string) bool {
	return p != nil && (path == "" || p.Spec.At(path) != nil)
}

// maxValue is how long a value may be in a sentence, in bytes.
const maxValue = 32

// scalar writes a short scalar, or the only one of a list.
func scalar(v any) (string, bool) {
	switch v := v.(type) {
	case []any:
		if len(v) == 1 {
			if _, nested := v[0].([]any); !nested {
				return scalar(v[0])
			}
		}
		return "", false
	case nil, map[string]any:
		return "", false
	}
	text := fmt.Sprint(v)
	return text, text != "" && len(text) <= maxValue && !strings.ContainsAny(text, "<>\n")
}

// maxAddresses is how many addresses a sentence names.
const maxAddresses = 2

// IsAddress reports whether a text is an IP address or a range of them.
func IsAddress(text string) bool {
	_, noRange := netip.ParsePrefix(text)
	_, noAddress := netip.ParseAddr(text)
	return noRange == nil || noAddress == nil
}

// addresses returns " (10.0.0.0/8)" for a value that holds few IP addresses or ranges, else "".
func addresses(v any) string {
	var found []string
	var visit func(any)
	visit = func(v any) {
		switch v := v.(type) {
		case string:
			if IsAddress(v) && !slices.Contains(found, v) {
				found = append(found, v)
			}
		case []any:
			for _, item := range v[:min(len(v), maxAddresses+1)] {
				visit(item)
			}
		case map[string]any:
			for _, key := range slices.Sorted(maps.Keys(v)) {
				visit(v[key])
			}
		}
	}
	visit(v)
	if len(found) == 0 || len(found) > maxAddresses {
		return ""
	}
	return " (" + strings.Join(found, ", ") + ")"
}

// reason returns what a change of an attachment says of its parents: the parent that targets leave,
// or the condition that they had and have.
func reason(c *change.Compared) detail {
	if c.Kind == plan.Moved {
		return detail{words: turn(c)}
	}
	var words []string
	for _, f := range c.Fields {
		parent, _, ok := strings.Cut(strings.TrimPrefix(f.Path, "/parents["), "]")
		if !ok || !strings.HasPrefix(f.Path, "/parents[") {
			continue
		}
		text := ""
		switch c.Kind {
		case plan.Detached:
			object, section, isListener := strings.Cut(parent, "#")
			text = "from " + loader.Spoken(object)
			if isListener && remains(c) {
				text = "listener " + section + " of " + loader.Spoken(object)
			}
		case plan.VerdictChange:
			text = strings.TrimSpace(values(f))
		case plan.FieldChange, plan.Attached, plan.Added, plan.Removed, plan.Renamed, plan.Moved:
		}
		if text != "" && !slices.Contains(words, text) {
			words = append(words, text)
		}
	}
	switch {
	case len(words) == 1:
		return detail{words: words[0]}
	case remains(c):
		return detail{words: "a listener"}
	case c.Kind == plan.VerdictChange:
		return detail{words: "its conditions"}
	}
	return detail{}
}

// turn says from where to where a route moves, if that is one listener each.
func turn(c *change.Compared) string {
	parents := map[plan.Action][]string{}
	for _, f := range c.Fields {
		if parent, ok := strings.CutPrefix(f.Path, "/parents["); ok {
			parents[f.Action] = append(parents[f.Action], loader.Spoken(strings.TrimSuffix(parent, "]")))
		}
	}
	from, to := parents[plan.FieldRemoved], parents[plan.FieldAdded]
	if len(from) != 1 || len(to) != 1 {
		return ""
	}
	return fmt.Sprintf("from %s to %s", from[0], to[0])
}

// renaming says which name an object has now.
func renaming(c *change.Compared) detail {
	if len(c.Fields) != 1 {
		return detail{}
	}
	_, name, _ := strings.Cut(fmt.Sprint(c.Fields[0].After), "/")
	return detail{values: " to " + name}
}

// sectionName says which section has another name: it is no other object.
func sectionName(c *change.Compared) detail {
	out := detail{words: "the name of a listener"}
	if kind := c.Targets[0].Target.Kind; kind != "Gateway" && kind != "ListenerSet" {
		out.words = "the name of a rule"
		if was, _, _ := strings.Cut(fmt.Sprint(c.Fields[0].Before), "#"); len(c.Fields) == 1 && !strings.HasPrefix(fmt.Sprint(c.Fields[0].After), was+"#") {
			return detail{words: "a rule, which was one of " + loader.Spoken(was)}
		}
	}
	for _, f := range c.Fields {
		_, before, _ := strings.Cut(fmt.Sprint(f.Before), "#")
		_, after, _ := strings.Cut(fmt.Sprint(f.After), "#")
		f.Before, f.After = before, after
		out.values = values(f)
	}
	return out
}

// remains reports whether the targets of a detachment keep another listener.
func remains(c *change.Compared) bool {
	return c.Kind == plan.Detached && !slices.ContainsFunc(c.Targets, func(t plan.Target) bool { return !t.Remains })
}
