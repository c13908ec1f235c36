package settle

import (
	"maps"
	"slices"

	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/loader"
)

// The modes of a workload (Istio telemetry.proto, WorkloadMode): client for the requests it sends,
// server for those it receives.
const (
	client = "client"
	server = "server"
)

// meshDefault represents the providers of meshConfig.defaultProviders, which is not in any manifest
// that gwplan reads.
const meshDefault = "(default provider)"

// istioTelemetry merges the lists of all policies, least specific first: tracing by mode, access
// logs by mode and provider, metrics by provider, mode and metric (Istio
// pilot/pkg/model/telemetry.go).
func istioTelemetry(spec *merge.Tree, at Target) *merge.Tree {
	modes := telemetryModes(at.Node)
	var out *merge.Tree
	for _, policy := range spec.Entries {
		for _, field := range policy.Tree.Entries {
			// For a field that this version does not support, the last policy wins.
			if !slices.Contains([]string{"tracing", "accessLogging", "metrics"}, field.Key) {
				out = out.With(field.Tree, field.Key)
			}
		}
	}
	for _, mode := range modes {
		if t := tracing(telemetryItems(spec, "tracing"), mode); t != nil {
			out = out.With(t, "tracing", mode)
		}
		if logs := accessLogs(spec, mode); logs != nil {
			out = out.With(logs, "accessLogging", mode)
		}
	}
	if m := metrics(telemetryItems(spec, "metrics"), modes); m != nil {
		out = out.With(m, "metrics")
	}
	return out
}

// telemetryModes returns the modes of a target's proxies: client for a Gateway, server for a
// waypoint, and both for the pods of a Service.
func telemetryModes(at *hierarchy.Node) []string {
	switch {
	case at == nil || at.Level != hierarchy.LevelGateway:
		return []string{client, server}
	case slices.ContainsFunc(at.Value.List("listeners"), func(l *loader.Value) bool { return l.Str("protocol") == "HBONE" }):
		return []string{server}
	}
	return []string{client}
}

// telemetryItem is one list item of a policy.
type telemetryItem struct {
	*loader.Value
	source *merge.Source
}

func (i telemetryItem) tree(v *loader.Value) *merge.Tree { return whole(v, i.source) }

// empty represents an item that applies but sets no value.
func (i telemetryItem) empty() *merge.Tree {
	return &merge.Tree{Value: &loader.Value{Shape: loader.Map, Mark: i.Mark}, Source: i.source, Kind: merge.Map}
}

func (i telemetryItem) providers() []string {
	var out []string
	for _, p := range i.List("providers") {
		out = append(out, p.Str("name"))
	}
	return out
}

// in reports whether the item applies to a mode.
func (i telemetryItem) in(mode string) bool { return slices.Contains(modesOf(i.Get("match")), mode) }

func modesOf(match *loader.Value) []string {
	switch match.Str("mode") {
	case "CLIENT":
		return []string{client}
	case "SERVER":
		return []string{server}
	}
	return []string{client, server}
}

// telemetryItems returns the items of one list of all policies.
func telemetryItems(spec *merge.Tree, field string) []telemetryItem {
	var out []telemetryItem
	for _, policy := range spec.Entries {
		out = append(out, policyItems(policy.Tree, field)...)
	}
	return out
}

func policyItems(policy *merge.Tree, field string) []telemetryItem {
	list := policy.Get(field)
	if list == nil {
		return nil
	}
	out := make([]telemetryItem, 0, len(list.Value.ItemList()))
	for _, item := range list.Value.ItemList() {
		out = append(out, telemetryItem{item, list.Source})
	}
	return out
}

// tracing uses the first provider of the last item that has providers, and each other field from
// the last item that sets it (Telemetries.Tracing).
func tracing(items []telemetryItem, mode string) *merge.Tree {
	var out *merge.Tree
	for _, item := range items {
		if !item.in(mode) {
			continue
		}
		if out == nil {
			out = item.empty()
		}
		if providers := item.List("providers"); len(providers) > 0 {
			if name := providers[0].Get("name"); !name.IsNull() {
				out = out.With(item.tree(name), "provider")
			}
		}
		for _, field := range []string{
			"disableSpanReporting", "customTags", "randomSamplingPercentage", "useRequestIdForTraceSampling", "enableIstioTags",
			"disableContextPropagation",
		} {
			if v := item.Get(field); !v.IsNull() {
				out = out.With(item.tree(v), field)
			}
		}
	}
	return out
}

// accessLogs returns the providers that log, each with the filter of the last item that names it.
// The last policy that names providers decides which providers log. An item without providers
// applies to those of the item before it, and its own filter is ignored (mergeLogs).
func accessLogs(spec *merge.Tree, mode string) *merge.Tree {
	named := map[string]bool{meshDefault: true}
	filters := map[string]telemetryItem{}
	for _, policy := range spec.Entries {
		names := map[string]bool{}
		for _, item := range policyItems(policy.Tree, "accessLogging") {
			if !item.in(mode) {
				continue
			}
			for _, name := range item.providers() {
				names[name] = true
				filters[name] = item
			}
		}
		if len(names) > 0 {
			named = names
		}
	}
	out := children{}
	inherited := []string{meshDefault}
	for _, item := range telemetryItems(spec, "accessLogging") {
		if names := item.providers(); len(names) > 0 {
			inherited = names
		}
		for _, name := range inherited {
			if !named[name] || !item.in(mode) {
				continue
			}
			log := item.empty()
			if by, ok := filters[name]; ok && !by.Get("filter").IsNull() {
				log = by.empty().With(by.tree(by.Get("filter")), "filter")
			}
			if off := item.Get("disabled"); off.IsTrue() {
				log = item.empty().With(item.tree(off), "disabled")
			}
			out[name] = log
		}
	}
	return out.tree()
}

// istioMetrics lists the metrics to which an override without a metric applies (Istio
// telemetry.proto, MetricSelector.IstioMetric).
var istioMetrics = []string{
	"REQUEST_COUNT", "REQUEST_DURATION", "REQUEST_SIZE", "RESPONSE_SIZE", "TCP_OPENED_CONNECTIONS",
	"TCP_CLOSED_CONNECTIONS", "TCP_SENT_BYTES", "TCP_RECEIVED_BYTES", "GRPC_REQUEST_MESSAGES", "GRPC_RESPONSE_MESSAGES",
}

// metrics returns the overrides by provider, mode and metric. The last item that names providers
// decides which providers are included (mergeMetrics).
func metrics(items []telemetryItem, modes []string) *merge.Tree {
	named := map[string]bool{meshDefault: true}
	for _, item := range items {
		if names := item.providers(); len(names) > 0 {
			clear(named)
			for _, name := range names {
				named[name] = true
			}
		}
	}
	folds := map[string]*metricFold{}
	inherited := []string{meshDefault}
	for _, item := range items {
		if names := item.providers(); len(names) > 0 {
			inherited = names
		}
		for _, name := range inherited {
			if !named[name] {
				continue
			}
			if folds[name] == nil {
				folds[name] = &metricFold{of: item, modes: map[string]*modeFold{}}
			}
			folds[name].item(item, modes)
		}
	}
	out := children{}
	for name, fold := range folds {
		out[name] = fold.result()
	}
	return out.tree()
}

// metricFold is the result of the items so far for one provider. Its source (of) is the first of
// these items.
type metricFold struct {
	of       telemetryItem
	interval *merge.Tree
	modes    map[string]*modeFold
}

// modeFold is the result for one mode. off is set if all metrics are disabled.
type modeFold struct {
	off     *merge.Tree
	metrics map[string]*metricOverride
}

type metricOverride struct {
	disabled *merge.Tree
	tags     children
}

func (f *metricFold) item(item telemetryItem, modes []string) {
	if interval := item.Get("reportingInterval"); !interval.IsNull() {
		f.interval = item.tree(interval)
	}
	for _, override := range item.List("overrides") {
		for _, mode := range modesOf(override.Get("match")) {
			if !slices.Contains(modes, mode) {
				continue
			}
			if f.modes[mode] == nil {
				f.modes[mode] = &modeFold{metrics: map[string]*metricOverride{}}
			}
			f.modes[mode].override(telemetryItem{override, item.source})
		}
	}
}

// override applies an override on top of the earlier ones. If all metrics are disabled, any later
// override of that mode enables them again.
func (f *modeFold) override(o telemetryItem) {
	match, disabled := o.Get("match"), o.Get("disabled")
	names := istioMetrics
	if custom := match.Str("customMetric"); custom != "" {
		names = []string{custom}
	} else if one := match.Str("metric"); one != "" && one != "ALL_METRICS" {
		names = []string{one}
	} else if disabled.IsTrue() {
		f.off = o.tree(disabled)
		return
	}
	f.off = nil
	for _, name := range names {
		if f.metrics[name] == nil {
			f.metrics[name] = &metricOverride{tags: children{}}
		}
		m := f.metrics[name]
		if !disabled.IsNull() {
			m.disabled = o.tree(disabled)
		}
		for _, tag := range o.Get("tagOverrides").FieldList() {
			if !tag.Value.IsNull() {
				m.tags[tag.Key] = o.tree(tag.Value)
			}
		}
	}
}

func (f *metricFold) result() *merge.Tree {
	out := f.of.empty()
	out = out.With(f.interval, "reportingInterval")
	for name, mode := range f.modes {
		out = out.With(mode.result(), name)
	}
	return out
}

func (f *modeFold) result() *merge.Tree {
	if f.off != nil {
		return children{"disabled": f.off}.tree()
	}
	out := children{}
	for name, m := range f.metrics {
		both := children{"disabled": m.disabled, "tagOverrides": m.tags.tree()}
		out[name] = both.tree()
	}
	return out.tree()
}

// children holds the fields of a map under construction. Fields without a value are omitted from
// the result.
type children map[string]*merge.Tree

// tree returns the map, or nil if it is empty. The map has the position of its first field.
func (c children) tree() *merge.Tree {
	var out *merge.Tree
	for _, key := range slices.Sorted(maps.Keys(c)) {
		child := c[key]
		if child == nil {
			continue
		}
		if out == nil {
			out = &merge.Tree{Value: child.Value, Source: child.Source, Kind: merge.Map}
		}
		out.Entries = append(out.Entries, merge.Entry{Key: key, Tree: child})
	}
	return out
}
