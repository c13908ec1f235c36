package loader

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// trafficKey is how keys look that decide where requests go: in the values of charts, in
// manifests, in the files of generators. What renames all that a chart makes renames its Services.
var trafficKey = regexp.MustCompile(`(?i)^(hosts?|domains?|fqdn|.*(hostname|ingress|gateway|route|parentref|listener|virtualservice|externaltraffic).*|(fullname|name)override)$`)

// trafficLine is a line of YAML or JSON with a key.
var trafficLine = regexp.MustCompile(`^(\s*(?:-\s+)*)["']?([\w./-]+)["']?\s*:\s*(.*)$`)

// otherKey is how keys look that only seem to be about traffic: variables of processes, routes
// of a network of nodes, and namespaces of hosts.
var otherKey = regexp.MustCompile(`^([A-Z0-9]+_[A-Z0-9_]*|(?i:.*(endpointRoutes|nodeRoutes|hostNamespace).*))$`)

// IsTrafficKey says whether a key is one about traffic by its name.
func IsTrafficKey(key string) bool {
	return key != GatewayName && trafficKey.MatchString(key) && !otherKey.MatchString(key)
}

// besides are keys of what stands beside traffic in the values of charts: what runs, where.
var besides = []string{
	"affinity", "containers", "env", "extraEnv", "image", "nodeSelector", "podAnnotations", "podSecurityContext", "replicaCount", "replicas",
	"resources", "securityContext", "tolerations",
}

// silent are keys of what says nothing about traffic, whatever is in it.
var silent = []string{"hostAliases", "labels", "podLabels"}

// peers are keys of what a program talks to: an address in it is that of another server.
var peers = []string{
	"database", "db", "ldap", "mail", "mariadb", "memcached", "mongodb", "mysql", "postgres", "postgresql", "rabbitmq", "redis", "smtp", "valkey",
}

// address is how the key of an address looks, which of itself says nothing of routes.
var address = regexp.MustCompile(`(?i)^(hosts?|hostname|domains?|fqdn)$`)

// under is where a key stands: in what is about traffic itself, in what says nothing about
// it, or in a peer. What is about traffic is so whatever it is called inside: a route may have
// the name of a database.
type under struct{ traffic, silent, peer bool }

// says gives a key if it is one about traffic where it stands.
func (u under) says(key string) string {
	if !IsTrafficKey(key) || u.silent || u.peer && address.MatchString(key) {
		return ""
	}
	return key
}

// below is where the keys in a key stand.
func (u under) below(key string) under {
	switch {
	case u.traffic || u.says(key) != "":
		u.traffic = true
	case slices.Contains(silent, key):
		u.silent = true
	case slices.Contains(peers, key):
		u.peer = true
	}
	return u
}

// TrafficIn gives the keys about traffic of some values that are not the same on both sides,
// of all values where one side has none.
func TrafficIn(before, after *Value) []string {
	var found []string
	trafficIn(before, after, nil, under{}, &found)
	if before == nil || after == nil {
		found = slices.DeleteFunc(found, func(key string) bool { return strings.HasSuffix(strings.ToLower(key), "nameoverride") }) // nothing is renamed
	}
	slices.Sort(found)
	return slices.Compact(found)
}

func trafficIn(before, after *Value, about []string, at under, found *[]string) {
	before, after = switchedOn(before), switchedOn(after)
	if Equal(before, after) {
		return
	}
	if shapeOf(before) != Map && shapeOf(after) != Map && shapeOf(before) != List && shapeOf(after) != List {
		*found = append(*found, about...)
		return
	}
	keys := map[string]bool{}
	for _, side := range []*Value{before, after} {
		for _, f := range side.FieldList() {
			keys[f.Key] = true
		}
	}
	for key := range keys {
		on := about
		switch {
		case slices.Contains(besides, key):
			on = nil
		case key == "route" && (before.Get(key, "receiver") != nil || after.Get(key, "receiver") != nil):
			on = nil // of alerts
		case at.says(key) != "":
			on = []string{key}
		}
		trafficIn(before.Get(key), after.Get(key), on, at.below(key), found)
	}
	was, is := items(before), items(after)
	for i := range max(len(was), len(is)) {
		var b, a *Value
		if i < len(was) {
			b = was[i]
		}
		if i < len(is) {
			a = is[i]
		}
		trafficIn(b, a, about, at, found)
	}
}

// switchedOn is a value, nil for one that is said not to be enabled.
func switchedOn(v *Value) *Value {
	if enabled := v.Get("enabled"); enabled != nil && enabled.Shape == Bool && enabled.Text == "false" {
		return nil
	}
	return v
}

func shapeOf(v *Value) Shape {
	if v == nil {
		return Null
	}
	return v.Shape
}

func items(v *Value) []*Value {
	if v == nil || v.Shape != List {
		return nil
	}
	return v.Items
}

// TrafficAt gives the keys about traffic on some lines of a file and around them, where the
// indentation says so; kinds of routes and Gateways count as well, and so does everything in
// an object of such a kind, or of a controller's own kind that attaches to traffic: it has a
// target or selects the proxies of a Gateway, and is told as its kind with that key. Its work is in proportion to the text.
func TrafficAt(text []byte, changed func(line int) bool) []string {
	var found []string
	var open []openKey
	kind, touched, schema, begins := "", false, false, 0
	foreign, selects, written := false, "", ""
	beside, meant := false, false // target references to other kinds, and to kinds of traffic
	end := func() {
		if strings.HasPrefix(selects, "targetRef") && beside && !meant && !strings.HasSuffix(written, "Policy") {
			selects = ""
		}
		switch {
		case schema:
			found = found[:begins] // it describes the fields of others
		case touched && foreign && selects != "":
			found = append(found, written+" "+selects)
		case touched && kind != "":
			found = append(found, kind)
		}
		open, kind, touched, schema, begins = nil, "", false, false, len(found)
		foreign, selects, written, beside, meant = false, "", "", false, false
	}
	for i, line := range strings.Split(string(text), "\n") {
		if strings.HasPrefix(line, "---") {
			end()
			continue
		}
		rest := strings.TrimLeft(line, " ")
		indent := len(line) - len(rest)
		if rest == "" || rest[0] == '#' {
			continue
		}
		m := trafficLine.FindStringSubmatch(line)
		// The items of a list may stand as far left as its key.
		for item := rest[0] == '-'; len(open) > 0; open = open[:len(open)-1] {
			if last := open[len(open)-1].indent; last < indent || item && last == indent {
				break
			}
		}
		if m != nil {
			at := placeOf(open)
			open = append(open, openKey{indent: len(m[1]), key: m[2], says: at.says(m[2]), below: at.below(m[2])})
			if m[1] == "" && m[2] == "kind" {
				written = strings.Trim(m[3], `"'`)
				kind, schema = trafficKind(m[3]), m[3] == "CustomResourceDefinition"
			}
			if m[1] == "" && m[2] == "apiVersion" {
				foreign = ofController(m[3])
			}
			selects = cmp.Or(selects, attaching(m[2], len(open) == 2 && open[0].key == "spec"))
			if of := targeted(open, m); of != "" {
				beside, meant = beside || !targetKind.MatchString(of), meant || targetKind.MatchString(of)
			}
		}
		inFlow := flowKey.FindAllStringSubmatch(line, maxFlowKeys)
		for _, key := range inFlow {
			selects = cmp.Or(selects, attaching(key[1], len(open) == 1 && open[0].key == "spec"))
		}
		if !changed(i + 1) {
			continue
		}
		touched = true
		for _, key := range inFlow {
			if says := placeOf(open).says(key[1]); says != "" {
				found = append(found, says)
			}
		}
		for j := len(open) - 1; j >= 0 && !open[j].told; j-- {
			open[j].told = true
			if open[j].says != "" {
				found = append(found, open[j].says)
			}
		}
	}
	end()
	slices.Sort(found)
	return slices.Compact(found)
}

// GatewayName is the label of the proxies of a Gateway (GEP-1762).
const GatewayName = "gateway.networking.k8s.io/gateway-name"

// attaching is a key by which objects of controllers attach to what serves traffic: the label of
// proxies or a selector of workloads anywhere, references to targets at the top of a spec.
func attaching(key string, inSpec bool) string {
	if key == GatewayName || key == "workloadSelector" || inSpec && (key == "targetRef" || key == "targetRefs") {
		return key
	}
	return ""
}

// targetKind are the kinds that serve traffic, or run what does.
var targetKind = regexp.MustCompile(`^(Gateway.*|.*Route|X?ListenerSet|.*Service|ServiceEntry|Namespace|.*Backend|InferencePool|Ingress.*|VirtualService|Deployment|StatefulSet|DaemonSet|Pod)$`)

// kindInFlow is the kind of a reference in flow style.
var kindInFlow = regexp.MustCompile(`\bkind["']?\s*:\s*["']?(\w+)`)

// targeted is the kind that a line of a target reference names, or "".
func targeted(open []openKey, line []string) string {
	if !slices.ContainsFunc(open, func(k openKey) bool { return k.key == "targetRef" || k.key == "targetRefs" }) {
		return ""
	}
	if line[2] == "kind" {
		return strings.Trim(line[3], `"' `)
	}
	if m := kindInFlow.FindStringSubmatch(line[3]); m != nil {
		return m[1]
	}
	return ""
}

// ofController says whether an apiVersion is that of some controller: neither Kubernetes' own
// nor of what only looks on.
func ofController(apiVersion string) bool {
	group, _, _ := strings.Cut(strings.Trim(apiVersion, `"'`), "/")
	return strings.Contains(group, ".") && !strings.HasSuffix(group, ".k8s.io") && group != "monitoring.coreos.com"
}

// openKey is a key on the way to a line.
type openKey struct {
	indent int
	key    string
	// says is the word about traffic, told that it and what is around it were found.
	says string
	told bool
	// below is where the keys in it stand.
	below under
}

// flowKey is a key of a map in flow style; a line has no more of them than count.
var flowKey = regexp.MustCompile(`[{,]\s*["']?([\w./-]+)["']?\s*:`)

const maxFlowKeys = 100

// placeOf is where the next key stands.
func placeOf(open []openKey) under {
	if len(open) == 0 {
		return under{}
	}
	return open[len(open)-1].below
}

// trafficKind is a kind if it is one about traffic.
func trafficKind(text string) string {
	kind := strings.Trim(text, `"'`)
	if strings.HasSuffix(kind, "Route") || strings.HasPrefix(kind, "Gateway") || strings.HasSuffix(kind, "Policy") {
		return kind
	}
	return ""
}
