package apptemplate

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// appField is a field that values may have. In its path, * is any key of a map and
// [] any item of a list.
type appField struct {
	path string
	is   shapes
	// since is the first release that allows the field, until the first one that no longer does.
	// Zero means no bound.
	since, until appVersion
	// needed means that the map which may have the field must have it.
	needed bool
	// without are fields that the same map must not have together with this one.
	without []string
	// words are the allowed texts; if there are none, all texts are allowed.
	words []string
}

// shapes is the set of shapes that a value may have.
type shapes uint8

const (
	isText shapes = 1 << iota
	isWhole
	isFlag
	isNull
	isList
	isMap
	// isOpen is a map that may also have fields which are not listed in appFields.
	isOpen

	isPort   = isText | isWhole
	isScalar = isText | isWhole | isFlag
	isAny    = isScalar | isNull | isList | isOpen
)

// appFields are the fields that the schemas of 3.0.0 to 4.1.1 allow, as far as they are needed here
// (charts/library/common/schemas, since 3.7.1 in the values.schema.json of app-template). For other
// releases no schema is known, and only maps, lists and scalars are distinguished.
var appFields = []appField{
	{path: "global", is: isOpen},
	{path: "global.nameOverride", is: isText | isNull},
	{path: "global.fullnameOverride", is: isText | isNull},
	{path: "global.alwaysAppendIdentifierToResourceName", is: isFlag, since: appVersion{4, 1, 0}},
	{path: "global.labels", is: isMap | isNull, until: appVersion{4, 0, 0}},
	{path: "global.labels", is: isMap, since: appVersion{4, 0, 0}},
	{path: "global.labels.*", is: isText, until: appVersion{3, 0, 4}},
	{path: "global.labels.*", is: isText | isNull, since: appVersion{3, 0, 4}},
	{path: "global.annotations", is: isMap | isNull, until: appVersion{4, 0, 0}},
	{path: "global.annotations", is: isMap, since: appVersion{4, 0, 0}},
	{path: "global.annotations.*", is: isText, until: appVersion{3, 0, 4}},
	{path: "global.annotations.*", is: isText | isNull, since: appVersion{3, 0, 4}},

	{path: "service", is: isMap | isNull, until: appVersion{4, 0, 0}},
	{path: "service", is: isMap, since: appVersion{4, 0, 0}},
	{path: "service.*", is: isMap},
	{path: "service.*.enabled", is: isFlag},
	{path: "service.*.primary", is: isFlag},
	{path: "service.*.controller", is: isText, until: appVersion{4, 0, 0}, needed: true},
	{path: "service.*.controller", is: isText, since: appVersion{4, 0, 0}},
	{path: "service.*.nameOverride", is: isText, until: appVersion{4, 0, 0}},
	{path: "service.*.forceRename", is: isText, since: appVersion{4, 0, 0}, without: []string{"prefix", "suffix"}},
	{path: "service.*.prefix", is: isText, since: appVersion{4, 0, 0}},
	{path: "service.*.suffix", is: isText, since: appVersion{4, 0, 0}},
	{path: "service.*.labels", is: isMap | isNull},
	{path: "service.*.labels.*", is: isText, until: appVersion{3, 0, 4}},
	{path: "service.*.labels.*", is: isText | isNull, since: appVersion{3, 0, 4}},
	{path: "service.*.annotations", is: isMap | isNull},
	{path: "service.*.annotations.*", is: isText, until: appVersion{3, 0, 4}},
	{path: "service.*.annotations.*", is: isText | isNull, since: appVersion{3, 0, 4}},
	{path: "service.*.type", is: isText},
	{path: "service.*.clusterIP", is: isText},
	{path: "service.*.externalName", is: isText, since: appVersion{3, 3, 0}},
	{path: "service.*.externalIPs", is: isList},
	{path: "service.*.externalIPs[]", is: isText},
	{path: "service.*.externalTrafficPolicy", is: isText, words: []string{"Cluster", "Local"}},
	{path: "service.*.internalTrafficPolicy", is: isText, words: []string{"Cluster", "Local"}, since: appVersion{3, 5, 0}},
	{path: "service.*.allocateLoadBalancerNodePorts", is: isFlag},
	{path: "service.*.loadBalancerIP", is: isText},
	{path: "service.*.loadBalancerClass", is: isText, since: appVersion{3, 4, 0}},
	{path: "service.*.loadBalancerSourceRanges", is: isList},
	{path: "service.*.loadBalancerSourceRanges[]", is: isText},
	{path: "service.*.sessionAffinity", is: isText, words: []string{"None", "ClientIP"}},
	{path: "service.*.sessionAffinityConfig", is: isOpen},
	{path: "service.*.publishNotReadyAddresses", is: isFlag},
	{path: "service.*.ipFamilyPolicy", is: isText, words: []string{"SingleStack", "PreferDualStack", "RequireDualStack"}},
	{path: "service.*.ipFamilies", is: isList},
	{path: "service.*.ipFamilies[]", is: isText, words: []string{"IPv4", "IPv6"}},
	{path: "service.*.extraSelectorLabels", is: isOpen | isNull},
	{path: "service.*.ports", is: isMap},
	{path: "service.*.ports.*", is: isMap},
	{path: "service.*.ports.*.enabled", is: isFlag},
	{path: "service.*.ports.*.primary", is: isFlag},
	{path: "service.*.ports.*.port", is: isPort, needed: true},
	{path: "service.*.ports.*.targetPort", is: isPort},
	{path: "service.*.ports.*.nodePort", is: isPort, since: appVersion{3, 0, 3}},
	{path: "service.*.ports.*.protocol", is: isText, words: []string{"HTTP", "HTTPS", "TCP", "UDP"}},
	{path: "service.*.ports.*.appProtocol", is: isText},

	{path: "route", is: isMap | isNull, until: appVersion{4, 0, 0}},
	{path: "route", is: isMap, since: appVersion{4, 0, 0}},
	{path: "route.*", is: isMap},
	{path: "route.*.enabled", is: isFlag},
	{path: "route.*.nameOverride", is: isText, until: appVersion{4, 0, 0}},
	{path: "route.*.forceRename", is: isText, since: appVersion{4, 0, 0}, without: []string{"prefix", "suffix"}},
	{path: "route.*.prefix", is: isText, since: appVersion{4, 0, 0}},
	{path: "route.*.suffix", is: isText, since: appVersion{4, 0, 0}},
	{path: "route.*.labels", is: isMap | isNull},
	{path: "route.*.labels.*", is: isText, until: appVersion{3, 0, 4}},
	{path: "route.*.labels.*", is: isText | isNull, since: appVersion{3, 0, 4}},
	{path: "route.*.annotations", is: isMap | isNull},
	{path: "route.*.annotations.*", is: isText, until: appVersion{3, 0, 4}},
	{path: "route.*.annotations.*", is: isText | isNull, since: appVersion{3, 0, 4}},
	{path: "route.*.kind", is: isText, words: []string{"HTTPRoute", "GRPCRoute", "TLSRoute", "TCPRoute", "UDPRoute"}},
	{path: "route.*.hostnames", is: isList},
	{path: "route.*.hostnames[]", is: isText},
	{path: "route.*.parentRefs", is: isList},
	{path: "route.*.parentRefs[]", is: isMap},
	{path: "route.*.parentRefs[].group", is: isText},
	{path: "route.*.parentRefs[].kind", is: isText},
	{path: "route.*.parentRefs[].namespace", is: isText},
	{path: "route.*.parentRefs[].name", is: isText, needed: true},
	{path: "route.*.parentRefs[].sectionName", is: isText},
	{path: "route.*.parentRefs[].port", is: isWhole, since: appVersion{4, 0, 0}},
	{path: "route.*.rules", is: isList},
	{path: "route.*.rules[]", is: isMap},
	{path: "route.*.rules[].backendRefs", is: isList},
	{path: "route.*.rules[].backendRefs[]", is: isMap},
	{path: "route.*.rules[].backendRefs[].group", is: isText},
	{path: "route.*.rules[].backendRefs[].kind", is: isText},
	{path: "route.*.rules[].backendRefs[].namespace", is: isText},
	{path: "route.*.rules[].backendRefs[].name", is: isText},
	{path: "route.*.rules[].backendRefs[].identifier", is: isText, since: appVersion{4, 0, 0}},
	{path: "route.*.rules[].backendRefs[].port", is: isPort},
	{path: "route.*.rules[].backendRefs[].weight", is: isWhole},
	{path: "route.*.rules[].matches", is: isList},
	{path: "route.*.rules[].matches[]", is: isMap},
	{path: "route.*.rules[].matches[].path", is: isMap},
	{path: "route.*.rules[].matches[].path.type", is: isText},
	{path: "route.*.rules[].matches[].path.value", is: isText},
	{path: "route.*.rules[].filters", is: isList},
	{path: "route.*.rules[].filters[]", is: isAny},
	{path: "route.*.rules[].timeouts", is: isOpen},
	{path: "route.*.rules[].sessionPersistence", is: isOpen, since: appVersion{4, 0, 0}},
}

// fits reports whether the values have the shapes that the templates expect and, if there is a
// schema, whether they conform to it.
func (a *reading) fits() bool {
	c := fieldCheck{schema: a.rules.schema, fields: map[string]appField{}, needed: map[string][]string{}}
	for _, f := range appFields {
		if c.schema && (a.version.before(f.since) || f.until != appVersion{} && !a.version.before(f.until)) {
			continue
		}
		c.fields[f.path] = f
		if f.needed {
			i := strings.LastIndexByte(f.path, '.')
			c.needed[f.path[:i]] = append(c.needed[f.path[:i]], f.path[i+1:])
		}
	}
	for _, key := range []string{"global", "service", "route"} {
		if v := a.values.Get(key); v != nil && !c.fits(key, v, false) {
			return false
		}
	}
	return true
}

// fieldCheck compares values with fields. With a schema, it checks everything that a field
// requires. Without a schema, it only checks whether each value is a list, a map or a scalar as
// expected.
type fieldCheck struct {
	schema bool
	fields map[string]appField
	// needed are the keys that maps must have, by the paths of the maps.
	needed map[string][]string
}

// fits reports whether a value and all values below it are allowed. open means that fields which
// are not listed are allowed.
func (c *fieldCheck) fits(path string, v *loader.Value, open bool) bool {
	f, named := c.fields[path]
	if !named {
		return open
	}
	if !c.shaped(f, v) {
		return false
	}
	open = !c.schema || f.is&isOpen != 0
	for _, item := range v.Items {
		if !c.fits(path+"[]", item, open) {
			return false
		}
	}
	for _, field := range v.Fields {
		below := path + "." + field.Key
		if _, named := c.fields[below]; !named {
			below = path + ".*"
		}
		if !c.fits(below, field.Value, open) || c.schema && hasAny(v, c.fields[below].without) {
			return false
		}
	}
	return !c.schema || v.Shape != loader.Map || hasAll(v, c.needed[path])
}

// shaped reports whether a value itself is allowed, not those below it.
func (c *fieldCheck) shaped(f appField, v *loader.Value) bool {
	shape := shapeOf(v)
	switch {
	case f.is == isAny:
		return true
	case c.schema:
		return f.is&shape != 0 && (len(f.words) == 0 || slices.Contains(f.words, v.Text))
	case shape == isNull:
		return true
	}
	return f.is&shape != 0 || f.is&isScalar != 0 && (shape&isScalar != 0 || v.Shape == loader.Float)
}

func shapeOf(v *loader.Value) shapes {
	switch v.Shape {
	case loader.Null:
		return isNull
	case loader.Bool:
		return isFlag
	case loader.Int:
		return isWhole
	case loader.String:
		return isText
	case loader.Map:
		return isMap | isOpen
	case loader.List:
		return isList
	case loader.Float:
	}
	return 0
}

func hasAny(v *loader.Value, keys []string) bool {
	return slices.ContainsFunc(keys, func(key string) bool { return v.Get(key) != nil })
}

func hasAll(v *loader.Value, keys []string) bool {
	return !slices.ContainsFunc(keys, func(key string) bool { return v.Get(key) == nil })
}
