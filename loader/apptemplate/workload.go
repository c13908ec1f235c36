package apptemplate

import (
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/chart"
	"github.com/gwplan/gwplan/loader/gotemplate"
)

// Workloads returns the workloads that the chart makes of a release's controllers, with what network policies
// see of their pods: labels, ports, and whether they use the network of their node (classes/_deployment.tpl
// and its siblings; lib/controller; lib/pod). Of a range of versions, the newest counts. Unlike Render, it
// leaves out what it cannot evaluate.
func Workloads(version string, release chart.Release) []chart.Document {
	asked := versionsOf(version)
	if len(asked.versions) == 0 {
		return nil
	}
	budget := gotemplate.NewBudget(gotemplate.DefaultLimits())
	defer budget.Close()
	a := newAppTemplate(asked.versions[0], asked.exact, release, budget)
	list := a.switched(a.declared("controllers", false), unlessOff)
	a.controllers = byID(list)
	if a.rules.controllerLabel == "" { // 1.x has one
		list = []appEntry{{"", a.values.Get("controller")}}
	}
	for _, e := range list {
		if !a.spent() {
			a.workload(e, len(list))
		}
	}
	return a.out.Documents
}

// workload makes the workload of one controller.
func (a *serving) workload(e appEntry, number int) {
	b := build{}
	if e.values != nil {
		b.mark = e.values.Mark
	}
	kind, version := kindOf(a.word(e.values.Get("type")))
	template := b.object("metadata", b.object("labels", a.podLabels(b, e)), "spec", a.podSpec(b, e))
	spec := b.object("template", template)
	if kind == "CronJob" {
		spec = b.object("jobTemplate", b.object("spec", spec))
	}
	name := a.names.full
	switch {
	case a.rules.affixes:
		name = a.affixed(e, number)
	case number > 1 && e.id != "main":
		name = a.suffixed(e, false)
	}
	a.add(b.object("apiVersion", version, "kind", kind, "metadata", b.object("name", name, "namespace", a.release.Namespace), "spec", spec))
}

// kindOf returns the kind of a controller's type, and its apiVersion.
func kindOf(controller string) (kind, version string) {
	switch strings.ToLower(controller) {
	case "statefulset":
		return "StatefulSet", "apps/v1"
	case "daemonset":
		return "DaemonSet", "apps/v1"
	case "cronjob":
		return "CronJob", "batch/v1"
	case "job":
		return "Job", "batch/v1"
	}
	return "Deployment", "apps/v1"
}

// podLabels returns the labels of a controller's pods (lib/pod/metadata/_labels.tpl).
func (a *serving) podLabels(b build, e appEntry) *loader.Value {
	common := b.object("app.kubernetes.io/instance", a.release.Name, "app.kubernetes.io/name", a.names.own)
	if key := a.rules.controllerLabel; key != "" {
		common = chart.Overlaid(common, b.object(key, e.id))
	}
	var l layers
	l.over(common, true)
	l.over(a.values.Get("defaultPodOptions", "labels"), false)
	l.over(a.values.Get("podLabels"), false)
	l.over(e.values.Get("pod", "labels"), false)
	return a.labels(b, l)
}

// podSpec returns the ports of a controller's containers, and whether its pods use the network of their node.
func (a *serving) podSpec(b build, e appEntry) *loader.Value {
	var containers []*loader.Value
	for _, c := range entries(e.values.Get("containers")) {
		containers = append(containers, b.object("name", c.id, "ports", c.values.Get("ports")))
	}
	host := a.values.Get("hostNetwork")
	for _, v := range []*loader.Value{a.values.Get("defaultPodOptions", "hostNetwork"), e.values.Get("pod", "hostNetwork")} {
		if !v.IsNull() {
			host = v
		}
	}
	return b.object("hostNetwork", host, "containers", b.list(containers...))
}
