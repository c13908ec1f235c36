package sentence

import (
	"strings"

	"github.com/gwplan/gwplan/analyze/change"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
)

// backendRefs is the setting of a rule that names its backends.
const backendRefs = "backendRefs"

// maxBackends is how many backends a sentence names for each side.
const maxBackends = 2

// backends returns which backends a rule loses or sends less to, and which it gains or sends more to, if a field is one
// of these and backends come or go, with the share of each that does not get all. The words are empty if there are too many. told is
// false for other fields: that only shares differ is said of these.
func backends(c *change.Compared, f plan.Field) (was, is string, told bool) {
	if c.PolicyKind != nil || !isBackend(f) {
		return "", "", false
	}
	var before, after []string
	comes := false
	for _, other := range c.Fields {
		if !isBackend(other) {
			continue
		}
		comes = comes || other.Action != plan.FieldChanged
		if other.Before != nil {
			before = append(before, share(other, other.Before))
		}
		if other.After != nil {
			after = append(after, share(other, other.After))
		}
	}
	switch {
	case !comes:
		return "", "", false
	case len(before) > maxBackends, len(after) > maxBackends:
		return "", "", true
	}
	return spelling.And(before), spelling.And(after), true
}

// isBackend reports whether a field is the share of a backend.
func isBackend(f plan.Field) bool {
	return strings.HasPrefix(f.Path, "/"+backendRefs+"[") && strings.HasSuffix(f.Path, "]/weight")
}

// share names a backend with its share if that is not all: "Service shop/cart:80", "Service shop/cart:80 (10%)".
func share(f plan.Field, part any) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(f.Path, "/"+backendRefs+"["), "]")
	out := loader.Spoken(name)
	if text, is := part.(string); is && text != "100%" {
		out += " (" + text + ")"
	}
	return out
}
