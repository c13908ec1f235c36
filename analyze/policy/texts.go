package policy

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/internal/celsyntax"
	"github.com/gwplan/gwplan/internal/expression"
	"github.com/gwplan/gwplan/loader"
)

// wrongText is a text of a policy that is not what its controller reads it as.
type wrongText struct {
	entry *catalogue.TextEntry
	at    *loader.Value
	why   string
}

// wrongTexts returns the texts of a policy because of which its controller refuses it.
func wrongTexts(p *Policy) []wrongText {
	var out []wrongText
	for i := range p.Kind.Texts {
		entry := &p.Kind.Texts[i]
		within := every(p.Object.Spec(), strings.Split(entry.In, "."))
		if name, isAnnotation := strings.CutPrefix(entry.In, "annotation:"); isAnnotation {
			within = []*loader.Value{p.Object.Root.Get("metadata", "annotations", name)}
		}
		for _, in := range within {
			text := in
			if entry.Field != "" {
				text = in.Get(entry.Field)
			}
			if text == nil || text.Shape != loader.String || text.Opaque || loader.Placeholder(text.Text) || entry.Type != "" && in.Str("type") != entry.Type {
				continue
			}
			if why := wrongForm(entry.Is, text.Text); why != "" {
				out = append(out, wrongText{entry, text, strings.TrimSuffix(entry.In+"."+entry.Field, ".") + ": " + why})
			}
		}
	}
	return out
}

// JudgedFirst reports whether the controller refuses a policy for a kind of target because of a text before it merges the policy.
func JudgedFirst(p *Policy, kind string) bool {
	return slices.ContainsFunc(wrongTexts(p), func(wrong wrongText) bool { return slices.Contains(wrong.entry.First, kind) })
}

// wrongForm says why a text is not in a form, or is empty.
func wrongForm(form catalogue.TextForm, text string) string {
	why := ""
	switch form {
	case catalogue.Expression:
		if wrong, _ := expression.Wrong(text); wrong != "" {
			why = "not a regular expression: " + wrong
		}
	case catalogue.CEL:
		if wrong := celsyntax.Wrong(text); wrong != "" {
			why = "not an expression of CEL: " + wrong
		}
	case catalogue.Integer:
		if _, err := strconv.ParseInt(text, 10, 32); err != nil {
			why = "not an integer"
		}
	case catalogue.Address:
		if _, err := netip.ParseAddr(text); err != nil {
			why = "not an address"
		}
	case catalogue.Network:
		switch block, err := netip.ParsePrefix(text); {
		case !strings.Contains(text, "/"):
		case err != nil:
			why = "not a block of addresses"
		case block.Masked() != block:
			why = "not the beginning of a block of addresses, which is " + block.Masked().String()
		}
	case catalogue.Block:
		if _, err := netip.ParsePrefix(text); err != nil {
			why = "not a block of addresses"
		}
	}
	switch {
	case why == "":
		return ""
	case form == catalogue.Address || form == catalogue.Block || form == catalogue.Network || form == catalogue.Integer:
		return fmt.Sprintf("%q is %s", text, why)
	}
	return "this is " + why // the text may hold a secret
}

// checkTexts makes a policy Invalid because of a text for which its controller leaves it out.
func checkTexts(p *Policy) {
	for _, wrong := range wrongTexts(p) {
		if wrong.entry.Reason == "" && p.Invalid == "" {
			p.Invalid, p.InvalidAt = wrong.why, wrong.at
		}
	}
}
