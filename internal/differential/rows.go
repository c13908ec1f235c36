package main

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gwplan/gwplan/internal/differential/world"
)

// status is what the statuses of all kinds have in common.
type status struct {
	Conditions           []condition
	AttachedListenerSets int
	Listeners            []struct {
		Name           string
		Conditions     []condition
		AttachedRoutes int
		SupportedKinds []struct{ Kind string }
	}
	Parents []struct {
		ParentRef      reference
		ControllerName string
		Conditions     []condition
	}
	Ancestors []struct {
		AncestorRef    reference
		ControllerName string
		Conditions     []condition
	}
}

type condition struct{ Type, Status, Reason, Message string }

type reference struct {
	Kind, Namespace, Name, SectionName string
	Port                               int
}

// in names what a reference of a namespace's object names.
func (r reference) in(namespace string) string {
	if r.Kind == "" {
		r.Kind = "Gateway"
	}
	if r.Namespace == "" {
		r.Namespace = namespace
	}
	name := r.Kind + "/" + r.Namespace + "/" + r.Name
	if r.SectionName != "" {
		name += "#" + r.SectionName
	}
	if r.Port != 0 {
		name += ":" + strconv.Itoa(r.Port)
	}
	return name
}

// row is what is written at a place: a condition's status and reason by its type, and counts.
type row map[string]string

// telling says whether a row has more to tell than that all is well.
func (r row) telling() bool {
	for kind, value := range r {
		switch kind {
		case "Conflicted", "Overridden", "Merged", "PartiallyInvalid":
			if strings.HasPrefix(value, "True") {
				return true
			}
		case "Accepted", "ResolvedRefs", "Valid":
			if strings.HasPrefix(value, "False") {
				return true
			}
		}
	}
	return false
}

var (
	// infrastructure are types of conditions that depend on more than manifests.
	infrastructure = []string{"Programmed", "Ready", "AddressesAssigned", "Warning", "ListenersReady"}
	// quiet are types of conditions that say nothing where they are false: some controllers leave them out.
	quiet = []string{"Conflicted", "Overridden", "PartiallyInvalid", "OverlappingTLSConfig", "Merged", "BackendsAvailable", "InsecureFrontendValidationMode", "Partial"}
)

func (j judge) row(conditions []condition) row {
	r := row{}
	for _, c := range conditions {
		pending := c.Status == "Unknown" && c.Reason == "Pending" // by the schema, where nobody writes a status
		if pending || slices.Contains(infrastructure, c.Type) || slices.Contains(j.unjudged, c.Type) || slices.Contains(quiet, c.Type) && c.Status == "False" {
			continue
		}
		r[c.Type] = c.Status + "/" + c.Reason
	}
	return r
}

// rows are the places of some statuses: KIND/NAMESPACE/NAME, and behind it the listener, parent or ancestor.
func (j judge) rows(statuses []written, skip func(w written) bool) map[string]row {
	rows := map[string]row{}
	for _, w := range statuses {
		if skip(w) || slices.Contains(j.untold, w.Kind) {
			continue
		}
		object, namespace := w.Kind+"/"+w.Metadata.Namespace+"/"+w.Metadata.Name, w.Metadata.Namespace
		if own := j.row(w.Status.Conditions); len(own) > 0 || w.Status.AttachedListenerSets > 0 {
			if w.Status.AttachedListenerSets > 0 {
				own["attachedListenerSets"] = strconv.Itoa(w.Status.AttachedListenerSets)
			}
			rows[object] = own
		}
		for _, l := range w.Status.Listeners {
			r := j.row(l.Conditions)
			r["attachedRoutes"] = strconv.Itoa(l.AttachedRoutes)
			var kinds []string
			for _, k := range l.SupportedKinds {
				kinds = append(kinds, k.Kind)
			}
			slices.Sort(kinds)
			r["supportedKinds"] = strings.Join(kinds, ",")
			rows[object+" listener "+l.Name] = r
		}
		for _, p := range w.Status.Parents {
			if !strings.HasPrefix(p.ControllerName, "example.com/") {
				rows[object+" parentRef "+p.ParentRef.in(namespace)] = j.row(p.Conditions)
			}
		}
		for _, a := range w.Status.Ancestors {
			if !strings.HasPrefix(a.ControllerName, "example.com/") {
				rows[object+" ancestorRef "+a.AncestorRef.in(namespace)] = j.row(a.Conditions)
			}
		}
	}
	return rows
}

// others says which objects are not of the world, such as classes that a controller makes, or have their status from another
// controller: Gateways of its classes and their ListenerSets.
func (j judge) others(objects []world.Object) func(w written) bool {
	controllers := map[string]string{}
	for _, o := range objects {
		if o.Kind() == "GatewayClass" {
			controllers[o.Name()] = o.String("spec", "controllerName")
		}
	}
	foreign := map[string]bool{}
	for _, o := range objects {
		if o.Kind() != "Gateway" {
			continue
		}
		class := o.String("spec", "gatewayClassName")
		controller, declared := controllers[class]
		foreign["Gateway/"+o.Namespace()+"/"+o.Name()] = declared && strings.HasPrefix(controller, "example.com/") || !declared && class == "none"
	}
	for _, o := range objects {
		if o.Kind() == "ListenerSet" {
			namespace := o.String("spec", "parentRef", "namespace")
			if namespace == "" {
				namespace = o.Namespace()
			}
			foreign["ListenerSet/"+o.Namespace()+"/"+o.Name()] = foreign["Gateway/"+namespace+"/"+o.String("spec", "parentRef", "name")]
		}
	}
	there := map[string]bool{}
	for _, o := range objects {
		there[o.Kind()+"/"+o.Namespace()+"/"+o.Name()] = true
	}
	return func(w written) bool {
		return !there[w.Kind+"/"+w.Metadata.Namespace+"/"+w.Metadata.Name] || foreign[w.Kind+"/"+w.Metadata.Namespace+"/"+w.Metadata.Name] ||
			w.Kind == "GatewayClass" && strings.HasPrefix(controllers[w.Metadata.Name], "example.com/")
	}
}

// disagreement is a value at a place that the judge and gwplan see differently.
type disagreement struct{ place, what, want, got string }

// kind is what disagreements have in common that have one cause, mostly.
func (d disagreement) kind() string {
	what, _, _ := strings.Cut(d.place, "/")
	if _, behind, ok := strings.Cut(d.place, " "); ok {
		at, _, _ := strings.Cut(behind, " ")
		what += " " + at
	}
	if d.what == "attachedRoutes" || d.what == "attachedListenerSets" {
		return fmt.Sprintf("%s %s: want N, got M", what, d.what)
	}
	return fmt.Sprintf("%s %s: want %s, got %s", what, d.what, d.want, d.got)
}

// compare says where two answers differ, and what a row that one of them does not have would have said.
func compare(want, got map[string]row) []disagreement {
	var out []disagreement
	for _, place := range slices.Sorted(maps.Keys(union(want, got))) {
		w, g := want[place], got[place]
		if w == nil || g == nil {
			if len(w) == 0 && len(g) == 0 {
				continue
			}
			out = append(out, disagreement{place, "status", said(w), said(g)})
			continue
		}
		for _, what := range slices.Sorted(maps.Keys(union(w, g))) {
			inside := strings.HasSuffix(w[what], "/OverlappingCertificates") // which gwplan does not open
			if w[what] != g[what] && !inside {
				out = append(out, disagreement{place, what, orNone(w[what]), orNone(g[what])})
			}
		}
	}
	return out
}

func union[V any](a, b map[string]V) map[string]V {
	all := maps.Clone(a)
	if all == nil {
		all = map[string]V{}
	}
	maps.Copy(all, b)
	return all
}

func said(r row) string {
	if r == nil {
		return "none"
	}
	var parts []string
	for _, what := range slices.Sorted(maps.Keys(r)) {
		if what != "attachedRoutes" {
			parts = append(parts, what+"="+r[what])
		}
	}
	return "{" + strings.Join(parts, " ") + "}"
}

func orNone(value string) string {
	if value == "" {
		return "none"
	}
	return value
}
