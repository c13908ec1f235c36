package apptemplate

import (
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// appNames are the names that all objects of a release share.
type appNames struct {
	// full is the start of their names, own the value of their label app.kubernetes.io/name.
	full, own string
	// chart is the label of the chart. Its text is unknown for a range of versions.
	chart *loader.Value
}

// naming computes the names (lib/chart/_names.tpl). If global.nameOverride is missing, the chart
// sets it to the name of the release, so a nameOverride outside global never counts
// (charts/other/app-template/templates/common.yaml).
func (a *reading) naming(exact bool) appNames {
	global := a.values.Get("global")
	a.unsure(!global.IsNull() && global.Shape != loader.Map)
	own := a.word(global.Get("nameOverride"))
	if own == "" {
		own = a.release.Name
	}
	out := appNames{own: shortened(own)}
	full := a.word(global.Get("fullnameOverride"))
	if full == "" {
		full = a.word(a.values.Get("fullnameOverride"))
	}
	switch {
	case full != "":
		out.full = shortened(full)
	case strings.Contains(a.release.Name, out.own):
		out.full = shortened(a.release.Name)
	default:
		out.full = shortened(a.release.Name + "-" + out.own)
	}
	for _, name := range []string{out.own, a.release.Name, a.release.Namespace} {
		a.plainText(name)
	}
	out.chart = &loader.Value{Shape: loader.String, Text: "app-template", Opaque: true}
	if exact {
		out.chart = &loader.Value{Shape: loader.String, Text: "app-template-" + a.version.semver().String()}
	}
	return out
}

func shortened(name string) string {
	if len(name) > 63 {
		name = name[:63]
	}
	return strings.TrimSuffix(name, "-")
}

// plainText returns a text that the chart writes without quotes. The result is uncertain if YAML
// would read something else.
func (a *reading) plainText(text string) string {
	v := a.bare(build{}.text(text))
	a.unsure(v.Shape != loader.String || v.Text != text)
	return text
}

// serviceName returns the name of a Service.
func (a *naming) serviceName(e appEntry) string {
	if a.rules.affixes {
		return a.affixed(e, len(a.services))
	}
	return a.suffixed(e, a.isPlain(e, a.rules.serviceNames, a.firstService, len(a.services)))
}

// routeName returns the name of a route; number is the count of all routes.
func (a *serving) routeName(e appEntry, number int) string {
	if a.rules.affixes {
		return a.affixed(e, number)
	}
	return a.suffixed(e, a.isPlain(e, a.rules.routeNames, a.firstRoute, number))
}

// isPlain reports whether an object has the name of the release alone, if it has no nameOverride.
func (a *naming) isPlain(e appEntry, by plainName, first choice, number int) bool {
	switch by {
	case noPlainName:
	case plainForFirst:
		a.unsure(first.chance)
		return first.id == e.id && first.values != nil
	case plainIfPrimary:
		return a.is(e.values.Get("primary"))
	case plainIfAlone:
		return number <= 1 || a.is(e.values.Get("primary"))
	}
	return false
}

// suffixed returns the name of an object before 4.0.0: the full name of the release, followed by
// the object's nameOverride or key (render/_services.tpl, lib/service/_valuesToObject.tpl, and the
// same files of routes). If plain, no key follows.
func (a *naming) suffixed(e appEntry, plain bool) string {
	suffix := e.id
	if override := e.values.Get("nameOverride"); a.is(override) {
		if a.rules.overrideTemplates {
			override = a.text(override)
		}
		suffix, plain = a.word(override), false
	}
	if plain || a.rules.once && suffix == a.names.full {
		return a.plainText(a.names.full)
	}
	return a.plainText(a.names.full + "-" + suffix)
}

// affixed returns the name of an object since 4.0.0; number is the count of all objects of its kind
// (lib/common/_determineResourceNameFromValues.tpl).
func (a *naming) affixed(e appEntry, number int) string {
	if forced := e.values.Get("forceRename"); a.is(forced) {
		return a.plainText(strings.ToLower(a.affix(forced)))
	}
	name := a.names.full
	if prefix := e.values.Get("prefix"); a.is(prefix) {
		if p := a.affix(prefix); p != name {
			name = p + "-" + name
		}
	}
	always := a.rules.mayAddKeys && a.is(a.values.Get("global", "alwaysAppendIdentifierToResourceName"))
	if (number > 1 || always) && !strings.HasSuffix(name, "-"+e.id) && !(a.rules.once && name == e.id) {
		name += "-" + e.id
	}
	if suffix := e.values.Get("suffix"); a.is(suffix) {
		if s := a.affix(suffix); !strings.HasSuffix(name, "-"+s) {
			name += "-" + s
		}
	}
	return a.plainText(strings.ToLower(name))
}

// affix returns a prefix, a suffix or a whole name, evaluated as a template.
func (a *naming) affix(v *loader.Value) string {
	v = a.text(v)
	a.unsure(strings.Contains(v.Text, "{{"))
	return v.Text
}
