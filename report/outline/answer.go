package outline

import (
	"fmt"
	"strings"

	"github.com/gwplan/gwplan/analyze/plan"
)

// AnswerText says in one clause what answers a request: "Service/shop/cart:8080, by
// HTTPRoute/shop/cart#rule[0]".
func AnswerText(a *plan.Answer) string {
	by := ""
	if a.Rule != "" {
		by = ", by " + a.Rule
	}
	switch a.Outcome {
	case plan.ByRedirect:
		return fmt.Sprintf("%d, a redirect to %s%s", a.Status, a.Location, by)
	case plan.ByStatus:
		return fmt.Sprintf("%d%s%s", a.Status, atGateway(a), by)
	case plan.Refused:
		return "no connection" + atGateway(a)
	case plan.NotKnown:
		if a.Gateway == "" {
			return "not known"
		}
		if a.Rule == "" {
			return "not known which rule of " + a.Gateway + " answers"
		}
		return "not known; " + a.Rule + " answers unless one of the other candidates does"
	}
	var names []string
	for i := range a.Backends {
		names = append(names, a.Backends[i].Backend)
	}
	if len(names) == 0 {
		return "answered" + by
	}
	return strings.Join(names, " or ") + by
}

func atGateway(a *plan.Answer) string {
	if a.Gateway == "" {
		return ""
	}
	return " from " + a.Gateway
}

// WayText says where a request passes: listener, port, hostname and match.
func WayText(a *plan.Answer) string {
	var parts []string
	for _, part := range []struct{ text, value string }{{"", a.Listener}, {"port ", a.Port}, {"host ", a.Host}, {"match ", a.Match}} {
		if part.value != "" {
			parts = append(parts, part.text+part.value)
		}
	}
	return strings.Join(parts, ", ")
}

// BackendText is a backend with its share: "Service/shop/cart:8080, 90 of 100".
func BackendText(b *plan.TraceBackend) string {
	text := b.Backend
	if b.Total != b.Weight || b.Weight == 0 {
		text += fmt.Sprintf(", %d of %d", b.Weight, b.Total)
	}
	if b.Status != 0 {
		text += fmt.Sprintf(": its share gets %d", b.Status)
	}
	if b.Why != "" {
		text += " (" + b.Why + ")"
	}
	return text
}

// ProgramText is a program with the object that sets it: "a Lua program of EnvoyExtensionPolicy/shop/lua".
func ProgramText(p *plan.TraceProgram) string { return p.Is + " of " + NodeName(p.Object) }

// ContenderText names a rule that does not answer, or may answer, and says why.
func ContenderText(c *plan.Contender) string {
	return fmt.Sprintf("%s (%s): %s", c.Rule, strings.TrimSpace(c.Match), c.Why)
}
