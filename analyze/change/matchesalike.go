package change

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/analyze/plan"
)

// The fields of a rule that can be written in several ways: the name of a header, and the value of a path.
var (
	headerName = regexp.MustCompile(`^/matches\[\d+\]/headers\[[^\]]*\]/name$`)
	pathValue  = regexp.MustCompile(`^/matches\[(\d+)\]/path/value$`)
)

// matchesAlike reports whether a changed field of a rule matches the same requests as before: names of headers have no case, and a slash at
// the end of a prefix decides nothing (Gateway API, HTTPHeaderMatch.name and PathMatchPathPrefix).
func matchesAlike(runs [2]*effective.Run, at *effective.Joint, f plan.Field) bool {
	before, was := f.Before.(string)
	after, is := f.After.(string)
	if f.Action != plan.FieldChanged || !was || !is {
		return false
	}
	if headerName.MatchString(f.Path) {
		return strings.EqualFold(before, after)
	}
	path := pathValue.FindStringSubmatch(f.Path)
	return path != nil && !readsSlashes(runs, at, effective.Base) && !readsSlashes(runs, at, effective.Head) && strings.TrimRight(before, "/") == strings.TrimRight(after, "/") && isPrefix(at, effective.Base, path[1]) && isPrefix(at, effective.Head, path[1])
}

// readsSlashes reports whether the controller of a rule tells prefixes with a slash at the end from those without (NGINX Gateway Fabric
// internal/controller/nginx/config/servers.go, initializeExternalLocations). Where a slash decides precedence alone, the requests tell.
func readsSlashes(runs [2]*effective.Run, at *effective.Joint, side effective.Side) bool {
	return runs[side].Graph.Decider(at.Nodes[side].Owner).Matching.Paths.Style == implementation.NginxPaths
}

// isPrefix reports whether a match of a rule on a side, by its position, is for a prefix of paths.
func isPrefix(at *effective.Joint, side effective.Side, position string) bool {
	i, err := strconv.Atoi(position)
	matches := at.Nodes[side].Value.List("matches")
	if err != nil || i >= len(matches) {
		return false
	}
	kind := matches[i].Str("path", "type")
	return kind == "" || kind == "PathPrefix"
}

// ofLoneBackend reports whether a changed field is the weight of a backend that is the only one of its rule in both revisions, which decides
// nothing where the controller sends it all requests (kgateway translator/irtranslator/route.go, translateRouteAction).
func ofLoneBackend(runs [2]*effective.Run, at *effective.Joint, f plan.Field) bool {
	if f.Action != plan.FieldChanged || !strings.HasPrefix(f.Path, "/backendRefs[") || !strings.HasSuffix(f.Path, "]/weight") {
		return false
	}
	for _, side := range []effective.Side{effective.Base, effective.Head} {
		rule := at.Nodes[side]
		kind := rule.Owner.Target.Kind
		if len(rule.Value.List("backendRefs")) != 1 || kind != "HTTPRoute" && kind != "GRPCRoute" || !runs[side].Graph.Decider(rule.Owner).Matching.LoneUnweighted {
			return false
		}
	}
	return true
}
