package network

import (
	"cmp"
	"fmt"
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
