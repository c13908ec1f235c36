package network

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/gwplan/gwplan/internal/expression"
	"github.com/gwplan/gwplan/loader"
)

// maxCiliumPorts is how many ports an item of toPorts may have.
const maxCiliumPorts = 40

// wrongToPorts says why Cilium refuses an item of toPorts, and with it the whole policy, or is empty
// (pkg/policy/api/rule_validation.go, PortRule.sanitize, PortProtocol.sanitize and L7Rules.sanitize).
func wrongToPorts(item *loader.Value, d Direction) string {
	rules, ports := item.Get("rules"), item.List("ports")
	kinds := 0
	for _, field := range []string{"http", "kafka", "dns", "l7proto"} {
		if !rules.Get(field).IsNull() { // an empty list counts as rules
			kinds++
		}
	}
	dns, l7 := len(rules.List("dns")) > 0, kinds > 0 || !rules.Get("l7").IsNull()
	switch {
	case d == Ingress && dns:
		return "rules for DNS are not allowed on ingress"
	case len(item.List("serverNames")) > 0 && l7 && item.Get("terminatingTLS").IsNull():
		return "serverNames are not allowed with rules for requests, unless TLS is terminated"
	case len(ports) > maxCiliumPorts:
		return fmt.Sprintf("toPorts has %d ports, and %d are the most", len(ports), maxCiliumPorts)
	case d == Ingress && !item.Get("listener").IsNull():
		return "a listener is not allowed on ingress"
	case l7 && !item.Get("listener").IsNull():
		return "a listener is not allowed with rules for requests"
	case !rules.Get("dns").IsNull() && len(ports) == 0:
		return "rules for DNS need a port"
	case !rules.Get("l7").IsNull() && rules.Str("l7proto") == "":
		return "l7 needs l7proto"
	case kinds > 1:
		return "the rules of an item of toPorts are of several protocols"
	}
	for _, port := range ports {
		text, protocol := "", cmp.Or(strings.ToUpper(port.Str("protocol")), "ANY")
		if v := port.Get("port"); v != nil {
			text = v.Text
		}
		first, named := strconv.ParseUint(text, 0, 16)
		last, _ := number(port.Get("endPort"))
		switch {
		case l7 && !dns && protocol != "TCP":
			return "rules for requests need the protocol TCP (not " + protocol + ")"
		case l7 && named == nil && first == 0:
			return "rules for requests need a port other than 0"
		case dns && named == nil && last > int(first):
			return "rules for DNS do not go with ranges of ports"
		}
	}
	for _, rule := range rules.List("http") {
		for _, field := range []string{"path", "method"} {
			text := rule.Str(field)
			if why, _ := expression.Wrong(text); why != "" { // http.go, PortRuleHTTP.Sanitize
				return fmt.Sprintf("the %s %q of a rule for requests is not a regular expression", field, text)
			}
		}
	}
	return ""
}

// ciliumPort reads a PortProtocol (pkg/policy/api/l4.go). The port 0 is every port; no protocol is any of
// TCP, UDP and SCTP.
func ciliumPort(v *loader.Value) (out []PortMatch, wrong string) {
	all := protocols[:Other]
	if name := v.Str("protocol"); name != "" && name != "ANY" {
		p, known := ParseProtocol(name)
		if !known {
			return []PortMatch{{Range: whole(Other)}}, ""
		}
		all = []Protocol{p}
	}
	text := ""
	if port := v.Get("port"); !port.IsNull() {
		text = port.Text
	}
	for _, p := range all {
		n, err := strconv.ParseUint(text, 0, 16)
		switch {
		case text == "":
			return nil, "a port of toPorts has no number"
		case loader.Placeholder(text):
			out = append(out, PortMatch{Range: whole(p)})
		case isServiceName(text):
			out = append(out, PortMatch{Name: strings.ToLower(text), Range: Range{Protocol: p}})
		case err != nil:
			return nil, fmt.Sprintf("the port %q of toPorts is neither a number nor a name", text)
		case n == 0:
			out = append(out, PortMatch{Range: whole(p)})
		default:
			to := int(n)
			if end, ok := number(v.Get("endPort")); ok && end > to {
				to = end
			}
			out = append(out, PortMatch{Range: Range{p, int(n), to}})
		}
	}
	return out, ""
}

// isServiceName reports whether a port is a name (pkg/iana/svcname.go): letters, digits and single hyphens between them, with a
// letter. 0x10 is one, too.
func isServiceName(text string) bool {
	return len(text) <= maxServiceName && serviceNames.MatchString(text)
}

var serviceNames = regexp.MustCompile(`^([a-zA-Z0-9]-?)*[a-zA-Z](-?[a-zA-Z0-9])*$`)

const maxServiceName = 15
