package report

import (
	"io"
	"reflect"
	"strconv"

	"sigs.k8s.io/yaml"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// Status is what gwplan status prints.
var Status = Document[plan.StatusList]{"status", []Writer[plan.StatusList]{{"text", textStatus}, {"json", jsonDocument[plan.StatusList]}, {"yaml", yamlStatus}}}

// textStatus writes a line for each place where a status is written: for whom,
// and the conditions; below, of those that are not well, why and where.
func textStatus(w io.Writer, list *plan.StatusList, style Style) error {
	p := &page{style: style}
	for i := range list.Items {
		o := &list.Items[i]
		said := reasonsSaid{}
		p.statusPlace("", o.Node, o.Status.Conditions, said)
		for _, l := range o.Status.Listeners {
			p.statusPlace("  ", "#"+l.Name+" ("+count(l.AttachedRoutes, "route")+")", l.Conditions, said)
		}
		for _, parent := range o.Status.Parents {
			p.statusPlace("  ", "parent "+referenceText(parent.ParentRef), parent.Conditions, said)
		}
		for _, ancestor := range o.Status.Ancestors {
			p.statusPlace("  ", "ancestor "+referenceText(ancestor.AncestorRef), ancestor.Conditions, said)
		}
		if s := &o.Status; len(s.Conditions)+len(s.Listeners)+len(s.Parents)+len(s.Ancestors) == 0 {
			p.line(dim, "  no controller writes anything")
		}
	}
	if len(list.Items) == 0 {
		p.line(dim, "no Gateway API objects or policies to show")
	}
	p.problems(list.Problems)
	p.notes(list.Notes)
	return p.flush(w)
}

// reasonsSaid are the messages of one object that were written, with the lines
// to change: the references of a route are judged the same for each parent.
type reasonsSaid map[string]bool

// first says whether a message is to be written.
func (s reasonsSaid) first(c *plan.Condition) bool {
	key := c.Message + "\x00" + c.At.String()
	if c.Message == "" || s[key] {
		return false
	}
	s[key] = true
	return true
}

func (p *page) statusPlace(indent, name string, conditions []plan.Condition, said reasonsSaid) {
	color := plainText
	if indent == "" {
		color = bold
	}
	parts := []string{p.paint(color, name)}
	for i := range conditions {
		parts = append(parts, p.conditionWord(&conditions[i]))
	}
	p.parts(indent, parts...)
	if p.style.Detail == Quiet {
		return
	}
	for i := range conditions {
		if c := &conditions[i]; (c.Bad || c.Status == "Unknown") && said.first(c) {
			at := ""
			if c.At.Line > 0 {
				at = "   # " + c.At.String()
			}
			p.parts(indent+"    ", p.paint(plainText, c.Type+": "+c.Message), p.paint(dim, flags(true, c.AgeSensitive)+at))
		}
	}
}

func (p *page) conditionWord(c *plan.Condition) string {
	text, color := "  "+c.Type+"="+c.Status, green
	if c.Reason != c.Type {
		text += "/" + c.Reason
	}
	switch {
	case c.Bad:
		color = red
	case c.Status == "Unknown":
		color = yellow
	}
	return p.paint(color, text)
}

func referenceText(r plan.Reference) string {
	text := r.Name // a stand-in for an ancestor has no kind
	if r.Kind != "" {
		text = loader.ID{Group: r.Group, Kind: r.Kind, Namespace: r.Namespace, Name: r.Name}.String()
	}
	if r.SectionName != "" {
		text += "#" + r.SectionName
	}
	if r.Port != 0 {
		text += ":" + strconv.Itoa(r.Port)
	}
	return text
}

// yamlStatus writes the List as YAML.
func yamlStatus(w io.Writer, list *plan.StatusList, _ Style) error {
	data, err := yaml.Marshal(filled(reflect.ValueOf(list)).Interface())
	if err != nil || unsafeYAML(string(data)) {
		return writeJSON(w, list)
	}
	_, err = w.Write(data)
	return err
}
