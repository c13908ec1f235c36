package hierarchy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/loader"
)

// refusedOption returns the condition of a listener that terminates TLS, and that the controller refuses for one of its TLS options: it
// does not know it, it does not take its value, or it needs authorities that the listener has not; nil for any other listener
// (kgateway translator/sslutils/ssl_utils.go, ApplyTLSExtensionOptions; listener/gateway_listener_translator.go, translateTLSConfig).
func refusedOption(n, gateway *Node, own *implementation.Implementation) *Condition {
	known := own.Listeners.Options
	if known == nil {
		return nil
	}
	tls := n.Value.Get("tls")
	refuse := func(why string, at *loader.Value) *Condition {
		c := n.condition(Accepted, fact.False, "Invalid", why, at)
		return &c
	}
	for _, option := range tls.Get("options").FieldList() {
		values, takes := known[option.Key]
		if !takes {
			return refuse("the TLS option "+option.Key+" is not known", option.Value)
		}
		if values == nil || unreadable(option.Value) {
			continue
		}
		for value := range strings.SplitSeq(option.Value.Text, ",") {
			if value = strings.TrimSpace(value); !slices.Contains(values, value) {
				return refuse(fmt.Sprintf("the TLS option %s cannot be %q", option.Key, value), option.Value)
			}
		}
	}
	least, most := tls.Get("options", own.Listeners.LeastVersion), tls.Get("options", own.Listeners.MostVersion)
	if least != nil && most != nil && !unreadable(least) && !unreadable(most) && most.Text < least.Text {
		return refuse(fmt.Sprintf("the TLS options %s and %s leave no version", own.Listeners.LeastVersion, own.Listeners.MostVersion), most)
	}
	names := tls.Get("options", own.Listeners.ClientNames)
	if names != nil && frontendValidation(gateway.Value, n.Value, own).Get("caCertificateRefs").IsEmpty() {
		return refuse("the TLS option "+own.Listeners.ClientNames+" needs authorities of the clients' certificates", names)
	}
	return nil
}
