package loader

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// trafficNames are keys that decide where requests go, or who may send them: in the values of charts, in manifests, in the
// files of generators. A key that renames all objects of a chart also renames its Services.
// trafficParts are parts of such keys.
var (
	trafficNames = []string{"host", "hosts", "domain", "domains", "fqdn", "nameoverride", "fullnameoverride", "oidc", "jwt", "extauth"}
	trafficParts = []string{
		"hostname", "ingress", "gateway", "route", "parentref", "listener", "virtualservice", "externaltraffic", "redirection", "middleware",
		"basicauth", "forwardauth", "oauth2proxy", "oauth2-proxy", "securitypolicy", "authorizationpolicy",
	}
)

// networkPolicy is what the names of network policies, and of the keys for them, contain. enforcement are values of
// the chart of Cilium that switch all of them off (Cilium, Documentation/helm-values.rst).
const networkPolicy = "networkpolic"

var enforcement = []string{"policyenforcementmode", "policyauditmode"}

// IsPolicyKey reports whether a key is about network policies, according to its name.
func IsPolicyKey(key string) bool {
	lower := strings.ToLower(key)
	return strings.Contains(strings.NewReplacer("-", "", "_", "").Replace(lower), networkPolicy) || slices.Contains(enforcement, lower)
}

// otherKey matches keys that only seem to be about traffic: environment variables, routes of a
// network of nodes, and namespaces of hosts.
var otherKey = regexp.MustCompile(`^([A-Z0-9]+_[A-Z0-9_]*|(?i:.*(endpointRoutes|nodeRoutes|hostNamespace).*))$`)

// IsTrafficKey reports whether a key is about traffic, according to its name.
func IsTrafficKey(key string) bool {
	lower := strings.ToLower(key)
	contained := func(part string) bool { return strings.Contains(lower, part) }
	return (slices.Contains(trafficNames, lower) || slices.ContainsFunc(trafficParts, contained) || IsPolicyKey(key)) &&
		key != GatewayName && !otherKey.MatchString(key)
}

// besides are keys in chart values that set what runs, and where. Their content does not belong to
// the traffic key around them.
var besides = []string{
	"affinity", "containers", "env", "extraEnv", "image", "nodeSelector", "podAnnotations", "podSecurityContext", "replicaCount", "replicas",
	"resources", "securityContext", "tolerations",
}

// silent are keys whose content is never about traffic.
var silent = []string{"hostAliases", "labels", "podLabels"}

// peers are keys of servers that a program connects to: an address in them is not an address of the
// program itself.
var peers = []string{
	"database", "db", "ldap", "mail", "mariadb", "memcached", "mongodb", "mysql", "postgres", "postgresql", "rabbitmq", "redis", "smtp", "valkey",
}

// aroundPeers are words that the key of such a server may have beside it: externalDatabase, redis-master, databases.
var aroundPeers = []string{
	"cache", "client", "cluster", "config", "connection", "connections", "connector", "external", "internal", "main", "master", "primary", "replica",
	"replicas", "server", "servers", "settings",
}

// keyWords matches the words of a key in camel case, with dashes or underscores.
var keyWords = regexp.MustCompile(`[A-Z]?[a-z0-9]+|[A-Z]+`)

// isPeer reports whether a key names a server that a program connects to: by all of its words, as databaseUI is no such one.
func isPeer(key string) bool {
	if slices.Contains(peers, strings.ToLower(key)) {
		return true
	}
	named := false
	for _, word := range keyWords.FindAllString(key, -1) {
		word = strings.ToLower(word)
		switch {
		case slices.Contains(peers, word), slices.Contains(peers, strings.TrimSuffix(word, "s")):
			named = true
		case !slices.Contains(aroundPeers, word):
			return false
		}
	}
	return named
}

// isAccount reports whether a map holds how a program connects to a server: beside the address a port and who connects to what,
// and nothing about traffic.
func isAccount(v *Value) bool {
	port, who := false, false
	for _, f := range v.FieldList() {
		switch lower := strings.ToLower(f.Key); {
		case address.MatchString(f.Key):
		case IsTrafficKey(f.Key), lower == "path", lower == "tls":
			return false
		case lower == "port":
			port = true
		case slices.Contains([]string{"user", "username", "database", "dbname"}, lower):
			who = true
		}
	}
	return port && who
}

// address matches keys of addresses, which alone do not show that a route is meant.
var address = regexp.MustCompile(`(?i)^(hosts?|hostname|domains?|fqdn)$`)

// under is the context of a key: inside a traffic key, a silent key or a peer. Inside a traffic key
// every key belongs to traffic, whatever its name is: a route may have the name of a database.
// Inside a network policy the policy itself is what the keys are about. alone means that one of two sides has nothing
// there because it has no such values at all, not because it leaves them to the defaults of the chart.
type under struct{ traffic, silent, peer, policy, alone bool }

// says returns a key if it is about traffic in its context, else "".
func (u under) says(key string) string {
	if !IsTrafficKey(key) || u.silent || u.policy || u.peer && address.MatchString(key) {
		return ""
	}
	return key
}

// below returns the context of the keys inside a key.
func (u under) below(key string) under {
	switch {
	case u.traffic || u.says(key) != "":
		u.traffic, u.policy = true, u.policy || IsPolicyKey(key)
	case slices.Contains(silent, key):
		u.silent = true
	case isPeer(key):
		u.peer = true
	}
	return u
}

// inside returns the context of the keys of a map that is inside another value.
func (u under) inside(maps ...*Value) under {
	u.peer = u.peer || !u.traffic && slices.ContainsFunc(maps, isAccount)
	return u
}

// TrafficIn returns the traffic keys whose values differ between two sides. If one side is nil, it
// returns those of all values.
func TrafficIn(before, after *Value) []string {
	var found []string
	trafficIn(before, after, nil, under{alone: before == nil || after == nil}, &found)
	if before == nil || after == nil {
		found = slices.DeleteFunc(found, func(key string) bool { return strings.HasSuffix(strings.ToLower(key), "nameoverride") }) // nothing is renamed
	}
	slices.Sort(found)
	return slices.Compact(found)
}

func trafficIn(before, after *Value, about []string, at under, found *[]string) {
	if at.alone || (before == nil) == (after == nil) { // what the chart does without the key is not known: off may be the change
		before, after = switchedOn(before), switchedOn(after)
	}
	if Equal(before, after) {
		return
	}
	for _, object := range []*Value{before, after} { // a whole object, for charts that write it out
		if kind := object.Str("kind"); object.Str("apiVersion") != "" && at.says(kind) != "" {
			*found = append(*found, kind)
			return
		}
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
			on = nil // a route of alerts
		case at.says(key) != "":
			on = []string{key}
		}
		b, a := before.Get(key), after.Get(key)
		trafficIn(b, a, on, at.below(key).inside(b, a), found)
	}
	was, is := before.ItemList(), after.ItemList()
	for i := range max(len(was), len(is)) {
		var b, a *Value
		if i < len(was) {
			b = was[i]
		}
		if i < len(is) {
			a = is[i]
		}
		if b.IsEmpty() && a.IsEmpty() && (b == nil) != (a == nil) { // an item may match everything because it is empty
			*found = append(*found, about...)
		}
		item := at.inside(b, a)
		item.alone = at.alone || b == nil || a == nil // lists have no defaults for an item
		trafficIn(b, a, about, item, found)
	}
}

// switchedOn returns a value, or nil if its field enabled is false.
func switchedOn(v *Value) *Value {
	if v.Get("enabled").IsFalse() {
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

// TrafficAt returns the traffic keys on the changed lines of a file, and those around them
// according to the indentation. An object with a changed line counts as its kind if that is a
// route, a Gateway or a policy. It counts as its kind and a key if the kind is one of a controller
// and the key attaches it to traffic: it has a target, or it selects the proxies of a Gateway. So does
// one of a kind that is known to decide about traffic. The work is proportional to the length of the text.
func TrafficAt(text []byte, changed func(line int) bool, known func(group, kind string) bool) []string {
	s := trafficScan{known: known}
	for i, line := range strings.Split(string(text), "\n") {
		line = strings.TrimSuffix(line, "\r")
		if strings.HasPrefix(line, "---") {
			s.end()
			continue
		}
		rest := strings.TrimLeft(line, " ")
		if rest == "" || rest[0] == '#' {
			continue
		}
		s.leave(len(line)-len(rest), rest[0] == '-')
		if l, isKey := keyLine(line); isKey {
			s.enter(l)
		}
		s.inFlow(line)
		if changed(i + 1) {
			s.change()
		}
	}
	s.end()
	slices.Sort(s.found)
	return slices.Compact(s.found)
}

// trafficScan is a walk over the lines of a file.
type trafficScan struct {
	found []string
	// begins is the number of keys that were found before the current document.
	begins int
	known  func(group, kind string) bool
	trafficDocument
}

// trafficDocument is what the lines of one document have told so far.
type trafficDocument struct {
	// open are the keys around the current line, flow those in braces on it.
	open []openKey
	flow [][]string
	// touched is true if the change has a line of the document.
	touched bool
	// kind is that of a route, a Gateway or a policy, or "". written is the kind as written.
	kind, written string
	// schema is true for the definition of a kind.
	schema bool
	// group is that of the object. foreign is true for an API of a controller; selects is the key by which the object is attached to traffic.
	group   string
	foreign bool
	selects string
	// beside is true if there are target references to other kinds than those of traffic, meant if there are some to
	// those of traffic.
	beside, meant bool
}

// end adds what a document as a whole counts as, and begins the next one.
func (s *trafficScan) end() {
	if strings.HasPrefix(s.selects, "targetRef") && s.beside && !s.meant && !strings.HasSuffix(s.written, "Policy") {
		s.selects = ""
	}
	switch {
	case s.schema:
		s.found = s.found[:s.begins] // a schema describes the fields of other objects
	case s.touched && s.foreign && s.selects != "":
		s.found = append(s.found, s.written+" "+s.selects)
	case s.touched && s.kind != "":
		s.found = append(s.found, s.kind)
	case s.touched && s.known(s.group, s.written):
		s.found = append(s.found, s.written)
	}
	s.trafficDocument, s.begins = trafficDocument{}, len(s.found)
}

// leave closes the keys that a line with an indentation is not below. The items of a list may have the same
// indentation as its key.
func (s *trafficScan) leave(indent int, item bool) {
	for ; len(s.open) > 0; s.open = s.open[:len(s.open)-1] {
		if last := s.open[len(s.open)-1].indent; last < indent || item && last == indent {
			return
		}
	}
}

// enter opens the key of a line.
func (s *trafficScan) enter(l lineOfKey) {
	at := placeOf(s.open)
	s.open = append(s.open, openKey{indent: len(l.before), key: l.key, says: at.says(l.key), below: at.below(l.key)})
	if l.before == "" && l.key == "kind" {
		s.written = strings.Trim(l.value, `"'`)
		s.kind, s.schema = trafficKind(l.value), l.value == "CustomResourceDefinition"
	}
	if l.before == "" && l.key == "apiVersion" {
		s.group, _, _ = strings.Cut(strings.Trim(l.value, `"'`), "/")
		s.foreign = ofController(s.group)
	}
	s.selects = cmp.Or(s.selects, attaching(l.key, len(s.open) == 2 && s.open[0].key == "spec"))
	if of := targeted(s.open, l); of != "" {
		s.beside, s.meant = s.beside || !targetKind.MatchString(of), s.meant || targetKind.MatchString(of)
	}
}

// inFlow finds the keys in braces on a line.
func (s *trafficScan) inFlow(line string) {
	s.flow = nil
	if strings.ContainsAny(line, "{,") {
		s.flow = flowKey.FindAllStringSubmatch(line, maxFlowKeys)
	}
	for _, key := range s.flow {
		s.selects = cmp.Or(s.selects, attaching(key[1], len(s.open) == 1 && s.open[0].key == "spec"))
	}
}

// change adds the keys of a changed line and those around it.
func (s *trafficScan) change() {
	s.touched = true
	for _, key := range s.flow {
		if says := placeOf(s.open).says(key[1]); says != "" {
			s.found = append(s.found, says)
		}
	}
	for j := len(s.open) - 1; j >= 0 && !s.open[j].told; j-- {
		s.open[j].told = true
		if s.open[j].says != "" {
			s.found = append(s.found, s.open[j].says)
		}
	}
}

// lineOfKey is a line of YAML or JSON with a key: the indentation and dashes before it, the key
// without quotes, and its value.
type lineOfKey struct{ before, key, value string }

// keyLine reads a line. It returns false if the line has no key.
func keyLine(line string) (l lineOfKey, ok bool) {
	blank := func(at int) bool { return at < len(line) && strings.IndexByte(" \t\f\r", line[at]) >= 0 }
	quote := func(at int) bool { return at < len(line) && (line[at] == '"' || line[at] == '\'') }
	at := 0
	skip := func() {
		for blank(at) {
			at++
		}
	}
	skip()
	for at < len(line) && line[at] == '-' && blank(at+1) {
		at++
		skip()
	}
	l.before = line[:at]
	if quote(at) {
		at++
	}
	from := at
	for at < len(line) && isKeyByte(line[at]) {
		at++
	}
	l.key = line[from:at]
	if quote(at) {
		at++
	}
	skip()
	if l.key == "" || at == len(line) || line[at] != ':' {
		return l, false
	}
	at++
	skip()
	l.value = line[at:]
	return l, true
}

func isKeyByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("_./-", c) >= 0
}

// GatewayName is the label of the proxies of a Gateway (GEP-1762).
const GatewayName = "gateway.networking.k8s.io/gateway-name"

// attaching returns a key if objects of controllers attach by it to what serves traffic: the label
// of proxies or a selector of workloads anywhere, references to targets at the top of a spec.
func attaching(key string, inSpec bool) string {
	if key == GatewayName || key == "workloadSelector" || inSpec && (key == "targetRef" || key == "targetRefs") {
		return key
	}
	return ""
}

// SelectsProxies reports whether an object is of a controller and its spec has a key that selects what serves traffic.
func SelectsProxies(object *Value) bool {
	group, _, _ := strings.Cut(object.Str("apiVersion"), "/")
	return ofController(group) && selectsProxies(object.Get("spec"))
}

func selectsProxies(v *Value) bool {
	return slices.ContainsFunc(v.FieldList(), func(f Field) bool { return attaching(f.Key, false) != "" || selectsProxies(f.Value) }) ||
		slices.ContainsFunc(v.ItemList(), selectsProxies)
}

// targetKind matches the kinds that serve traffic, or run what does.
var targetKind = regexp.MustCompile(`^(Gateway.*|.*Route|X?ListenerSet|.*Service|ServiceEntry|Namespace|.*Backend|InferencePool|Ingress.*|VirtualService|Deployment|StatefulSet|DaemonSet|Pod)$`)

// kindInFlow matches the kind of a reference in flow style.
var kindInFlow = regexp.MustCompile(`\bkind["']?\s*:\s*["']?(\w+)`)

// targeted returns the kind that a line of a target reference names, or "".
func targeted(open []openKey, line lineOfKey) string {
	if !slices.ContainsFunc(open, func(k openKey) bool { return k.key == "targetRef" || k.key == "targetRefs" }) {
		return ""
	}
	if line.key == "kind" {
		return strings.Trim(line.value, `"' `)
	}
	if m := kindInFlow.FindStringSubmatch(line.value); m != nil {
		return m[1]
	}
	return ""
}

// ofController reports whether an API group is that of some controller: neither of Kubernetes
// itself nor of monitoring, which only observes.
func ofController(group string) bool {
	return strings.Contains(group, ".") && !strings.HasSuffix(group, ".k8s.io") && group != "monitoring.coreos.com"
}

// openKey is a key that contains the current line, by indentation.
type openKey struct {
	indent int
	key    string
	// says is the word about traffic. told is true if the key and those around it were already
	// reported.
	says string
	told bool
	// below is the context of the keys inside it.
	below under
}

// flowKey matches a key of a map in flow style. Only the first maxFlowKeys of a line count.
var flowKey = regexp.MustCompile(`[{,]\s*["']?([\w./-]+)["']?\s*:`)

const maxFlowKeys = 100

// placeOf returns the context of the next key.
func placeOf(open []openKey) under {
	if len(open) == 0 {
		return under{}
	}
	return open[len(open)-1].below
}

// trafficKind returns a kind if it is about traffic, else "".
func trafficKind(text string) string {
	kind := strings.Trim(text, `"'`)
	if strings.HasSuffix(kind, "Route") || strings.HasPrefix(kind, "Gateway") || strings.HasSuffix(kind, "Policy") || kind == "ReferenceGrant" {
		return kind
	}
	return ""
}
