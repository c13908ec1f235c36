package settle

import (
	"maps"
	"slices"

	"github.com/gwplan/gwplan/loader"
)

// The attributes of HTTP in the sources and operations of a rule, and the keys of the conditions that are not of HTTP (Istio
// pilot/pkg/serviceregistry/ambient/authorization.go, httpOperations, httpSources and l4WhenAttributes).
var (
	httpAttributes = []string{
		"hosts", "notHosts", "methods", "notMethods", "paths", "notPaths",
		"remoteIpBlocks", "notRemoteIpBlocks", "requestPrincipals", "notRequestPrincipals",
	}
	connectionKeys = []string{"source.ip", "source.namespace", "source.principal", "destination.ip", "destination.port"}
)

// AtZtunnel returns the rules of an AuthorizationPolicy of Istio as ztunnel enforces them, and the HTTP attributes that it
// does not know, sorted. A rule of ALLOW with such an attribute allows nothing. One of DENY applies without them, or not at all
// if that leaves nothing of a clause (Istio pilot/pkg/serviceregistry/ambient/authorization.go, handleRule and
// hasEffectiveRules).
func AtZtunnel(action string, rules []*loader.Value) (enforced []*loader.Value, http []string) {
	found := map[string]bool{}
	for _, rule := range rules {
		of := map[string]bool{}
		connection := rule.Copy(func(v *loader.Value) { dropHTTP(v, of) })
		maps.Copy(found, of)
		switch {
		case len(of) == 0:
			enforced = append(enforced, rule)
		case action == "DENY" && dropEmpty(connection):
			enforced = append(enforced, connection)
		}
	}
	return enforced, slices.Sorted(maps.Keys(found))
}

// dropHTTP removes the HTTP attributes of a part of a rule and adds their names to found. A condition of HTTP becomes empty.
func dropHTTP(v *loader.Value, found map[string]bool) {
	if v.Shape != loader.Map {
		return
	}
	if key := v.Get("key"); key != nil && v.Get("source") == nil && v.Get("operation") == nil && !slices.Contains(connectionKeys, key.Text) {
		found[key.Text] = true
		v.Fields = nil
		return
	}
	v.Fields = slices.DeleteFunc(v.Fields, func(f loader.Field) bool {
		drops := slices.Contains(httpAttributes, f.Key) && !f.Value.IsEmpty()
		if drops {
			found[f.Key] = true
		}
		return drops
	})
}

// dropEmpty removes the sources and operations of a rule that have nothing left, which match nothing. It returns false if a
// clause has none then, or a condition is empty: the rule never applies.
func dropEmpty(rule *loader.Value) bool {
	for _, clause := range []struct{ list, item string }{{"to", "operation"}, {"from", "source"}} {
		list := rule.Get(clause.list)
		if list == nil || len(list.Items) == 0 {
			continue
		}
		list.Items = slices.DeleteFunc(list.Items, func(item *loader.Value) bool { return item.Get(clause.item).IsEmpty() })
		if len(list.Items) == 0 {
			return false
		}
	}
	return !slices.ContainsFunc(rule.List("when"), (*loader.Value).IsEmpty)
}
