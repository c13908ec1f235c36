package loader

import (
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
	return strings.Contains(separators.Replace(lower), networkPolicy) || slices.Contains(enforcement, lower)
}

// otherKey matches keys that only seem to be about traffic: environment variables, routes of a
// network of nodes, and namespaces of hosts.
var otherKey = regexp.MustCompile(`^([A-Z0-9]+_[A-Z0-9_]*|(?i:.*(endpointRoutes|nodeRoutes|hostNamespace).*))$`)

// IsTrafficKey reports whether a key is about traffic, according to its name.
func IsTrafficKey(key string) bool {
	lower := strings.ToLower(key)
	contained := func(part string) bool { return strings.Contains(lower, part) }
	return (slices.Contains(trafficNames, lower) || slices.ContainsFunc(trafficParts, contained) || IsPolicyKey(key)) &&
		key != gatewayName && !otherKey.MatchString(key)
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
