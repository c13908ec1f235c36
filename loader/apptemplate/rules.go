package apptemplate

// appRules is the behaviour that differs between the releases of app-template.
type appRules struct {
	// unknown means that the templates of the release have not been read for this package.
	unknown bool
	// schema means that Helm checks the values against appFields before it renders.
	schema bool
	// defaults are the default values of the library, as YAML; values of the release override them.
	defaults string
	// unread are the paths of values from which the chart makes objects that are not made here.
	unread []string

	// services, ports and routes state which entries are enabled.
	services, ports, routes switching
	// strictServices and strictRoutes mean that the templates fail on an entry that is not a map.
	// Otherwise they ignore the entry.
	strictServices, strictRoutes bool
	// showsServicesOff means that Services are rendered even if they are not enabled.
	showsServicesOff bool
	// codeServer means that the add-on of that name adds a Service.
	codeServer bool

	// serviceNames and routeNames state which objects have the name of the release without a key.
	serviceNames, routeNames plainName
	// overrideTemplates means that nameOverride is evaluated as a template.
	overrideTemplates bool
	// once means that a suffix which equals the full name is not appended to it.
	once bool
	// affixes means that names may have a prefix and a suffix and are converted to lower case.
	affixes bool
	// mayAddKeys means that a global value can append the keys to all names.
	mayAddKeys bool

	// labelTemplates means that labels and annotations are evaluated as templates. bareLabels means
	// that the results are written to YAML without quotes.
	labelTemplates, bareLabels bool
	// serviceLabelWins means that the label with the Service's name overrides the same label in the
	// values.
	serviceLabelWins bool

	// controllers states which controller a Service must have. With noController, the chart does
	// not check the controller or the type.
	controllers controllerNeed
	// controllerLabel is the label of pods that holds the key of their controller.
	controllerLabel string
	// namedTargets means that a missing targetPort defaults to the name of the port.
	namedTargets bool
	// containerPorts means that containers have the ports of services, so that a targetPort must be
	// a number.
	containerPorts bool
	// schemeAnnotation means that an annotation for Traefik marks a primary port with HTTPS.
	schemeAnnotation bool
	// appProtocol, externalName and portRanges mean that the chart reads these fields.
	appProtocol, externalName, portRanges bool

	// asks are the versions of Gateway API that the chart looks up in the cluster. The chart uses
	// the last one that has the kind, else v1alpha2.
	asks []string
	// freeParents means that a parent needs no namespace.
	freeParents bool
	// emptySections means that a parent without a sectionName gets an empty one. parentPorts means
	// that a parent may have a port.
	emptySections, parentPorts bool
	// hostTemplates means that hostnames are evaluated as templates.
	hostTemplates bool
	// ruleFields are the fields of a rule that are copied, with the kinds of routes that have them.
	// ruleNames means that a rule also has a name, which is evaluated as a template.
	ruleFields []ruleField
	ruleNames  bool
	// refusesRedirects means that the chart refuses a rule with both backends and a redirect.
	refusesRedirects bool

	// backends states what the name of a backend refers to.
	backends backendNames
	// writtenPorts means that a backend's own port wins over that of the service.
	writtenPorts bool
	// sortedPorts means that, without a primary port, the first one by name is used, not any one.
	sortedPorts bool
	// needsPorts means that a service without ports cannot be a backend.
	needsPorts bool
	// portNames means that a backend's port may be the name of a service's port.
	portNames bool
	// zeroWeights means that a weight of 0 is kept and not replaced with the default of 1.
	zeroWeights bool
	// detects means that a backend without a name refers to the only service. defaultRule means
	// that a route without rules gets this backend. needsRules means that a route must have rules
	// if there is not exactly one service.
	detects, defaultRule, needsRules bool

	// unsureTemplates means that some of these releases may evaluate values as templates which
	// others copy.
	unsureTemplates bool
}

// switching states which entries of a map are enabled.
type switching uint8

const (
	never     switching = iota
	ifOn                // entries whose enabled is true
	unlessOff           // also entries without enabled
)

// plainName states which objects have the name of the release alone, without their key.
type plainName uint8

const (
	noPlainName    plainName = iota
	plainForFirst            // only the primary object
	plainIfPrimary           // objects with primary: true
	plainIfAlone             // these, and an object that is the only one
)

// controllerNeed states which controller a Service must have.
type controllerNeed uint8

const (
	noController    controllerNeed = iota
	namedController                // the Service must name one
	knownController                // the named one must be enabled and not empty
	foundController                // the named one must be enabled; a single one need not be named
)

// backendNames states what the name of a backend refers to.
type backendNames uint8

const (
	byRoute      backendNames = iota // an object; without a name, an object with the name of the route
	byKey                            // the service with this key, else an object
	byIdentifier                     // an object; the field identifier holds the key of a service
)

// ruleField is a field of a rule that is copied to routes of these kinds.
type ruleField struct {
	name  string
	kinds []string
}

// appStage is a release that changed the behaviour, with the change.
type appStage struct {
	since  appVersion
	change func(*appRules)
}

// rulesOf returns the rules of a release: the result of all changes up to it.
func rulesOf(v appVersion) appRules {
	var r appRules
	for _, s := range appStages {
		if !v.before(s.since) {
			s.change(&r)
		}
	}
	return r
}

// appStages are the changes from old to new, found by comparing the packages of two releases. The
// comment above an entry lists the files from which it was read.
var appStages = []appStage{
	{appVersion{0, 0, 0}, func(r *appRules) { r.unknown = true }},
	// classes/_service.tpl, lib/service/_primary.tpl, lib/service/_primary_port.tpl
	{appVersion{1, 0, 0}, func(r *appRules) {
		r.unknown, r.defaults = false, serviceDefaults1
		r.unread = []string{"common", "addons.codeserver.enabled"}
		r.services, r.ports, r.strictServices, r.serviceNames = ifOn, ifOn, true, plainForFirst
		r.namedTargets, r.containerPorts, r.schemeAnnotation, r.codeServer = true, true, true, true
	}},
	// classes/_route.tpl, render/_services.tpl, addons/code-server/_addon.tpl
	{appVersion{1, 1, 0}, func(r *appRules) {
		r.defaults = serviceDefaults1 + routeDefaults1
		r.services, r.ports, r.showsServicesOff = unlessOff, unlessOff, true
		r.unread = []string{"common"}
		r.routes, r.strictRoutes, r.routeNames = ifOn, true, noPlainName
		r.emptySections, r.writtenPorts = true, true
		r.ruleFields = []ruleField{{"matches", httpRoutes}}
	}},
	// render/_services.tpl
	{appVersion{1, 1, 3}, func(r *appRules) { r.showsServicesOff = false }},
	// render/_routes.tpl, classes/_route.tpl
	{appVersion{1, 2, 0}, func(r *appRules) { r.routeNames, r.emptySections = plainForFirst, false }},
	// classes/_route.tpl, classes/_service.tpl, lib/service, lib/routes
	{appVersion{2, 0, 0}, func(r *appRules) {
		r.defaults, r.codeServer = serviceDefaults2+routeDefaults2, false
		r.strictServices, r.serviceNames, r.serviceLabelWins = false, plainIfPrimary, true
		r.controllers, r.namedTargets, r.containerPorts, r.schemeAnnotation = namedController, false, false, false
		r.controllerLabel = "app.kubernetes.io/component"
		r.routes, r.asks = unlessOff, []string{"v1beta1"}
		r.backends, r.writtenPorts, r.needsPorts = byKey, false, true
	}},
	// classes/_route.tpl
	{appVersion{2, 1, 0}, func(r *appRules) { r.asks, r.hostTemplates = []string{"v1beta1", "v1"}, true }},
	// classes/_route.tpl, classes/_service.tpl
	{appVersion{2, 3, 0}, func(r *appRules) {
		r.appProtocol = true
		r.ruleFields = []ruleField{{"matches", webRoutes}, {"filters", webRoutes}}
	}},
	// classes/_route.tpl, lib/routes/_validate.tpl
	{appVersion{2, 4, 0}, func(r *appRules) {
		r.defaults, r.refusesRedirects = serviceDefaults2+routeDefaults24, true
		r.ruleFields = []ruleField{{"matches", webRoutes}, {"filters", webRoutes}, {"timeouts", httpRoutes}}
	}},
	// ../values.yaml, lib/service/_valuesToObject.tpl
	{appVersion{3, 0, 0}, func(r *appRules) {
		r.defaults, r.schema, r.serviceNames, r.controllerLabel = "", true, plainIfAlone, "common.bjw-s.dev/controller"
	}},
	// classes/_service.tpl
	{appVersion{3, 0, 1}, func(r *appRules) { r.controllerLabel = "app.kubernetes.io/component" }},
	// lib/service/_valuesToObject.tpl, lib/routes/_valuesToObject.tpl
	{appVersion{3, 0, 2}, func(r *appRules) { r.overrideTemplates, r.once = true, true }},
	// lib/service/_validate.tpl
	{appVersion{3, 0, 3}, func(r *appRules) { r.controllers = knownController }},
	// lib/service/_primary_port.tpl
	{appVersion{3, 0, 4}, func(r *appRules) { r.needsPorts = false }},
	// classes/_route.tpl, lib/chart/_defaultKeepNonNullValue.tpl
	{appVersion{3, 1, 0}, func(r *appRules) { r.zeroWeights = true }},
	// classes/_route.tpl, classes/_service.tpl
	{appVersion{3, 2, 0}, func(r *appRules) { r.labelTemplates, r.bareLabels = true, true }},
	{appVersion{3, 2, 1}, func(r *appRules) { r.bareLabels = false }},
	// render/_rawResources.tpl
	{appVersion{3, 3, 0}, func(r *appRules) { r.unread = []string{"common", "rawResources"} }},
	// classes/_service.tpl
	{appVersion{3, 3, 1}, func(r *appRules) { r.externalName = true }},
	// lib/service/_primary_port.tpl
	{appVersion{3, 7, 2}, func(r *appRules) { r.sortedPorts = true }},
	// classes/_route.tpl, lib/routes/_valuesToObject.tpl, lib/routes/_enabled_routes.tpl
	{appVersion{3, 7, 3}, func(r *appRules) {
		r.routeNames, r.strictRoutes, r.writtenPorts = plainIfAlone, false, true
	}},
	// classes/_route.tpl, lib/common/_determineResourceNameFromValues.tpl, lib/service/_validate.tpl
	{appVersion{4, 0, 0}, func(r *appRules) {
		r.affixes, r.once, r.controllers, r.controllerLabel = true, false, foundController, "app.kubernetes.io/controller"
		r.backends, r.parentPorts = byIdentifier, true
		r.ruleFields = []ruleField{{"matches", webRoutes}, {"filters", webRoutes}, {"sessionPersistence", webRoutes}, {"timeouts", httpRoutes}}
	}},
	// lib/routes/_getByIdentifier.tpl, lib/routes/_validate.tpl
	{appVersion{4, 0, 1}, func(r *appRules) { r.detects = true }},
	// lib/common/_determineResourceNameFromValues.tpl
	{appVersion{4, 1, 0}, func(r *appRules) { r.once, r.mayAddKeys = true, true }},
	// lib/routes/_autoDetectService.tpl
	{appVersion{4, 1, 1}, func(r *appRules) { r.defaultRule = true }},
	// The common behaviour of the releases after 4.1.1 was read from later templates. The schema of
	// their values is unknown.
	{appVersion{4, 2, 0}, func(r *appRules) {
		r.schema, r.serviceLabelWins, r.unsureTemplates = false, false, true
		r.unread = []string{"common", "rawResources", "listenerSet", "listenerSets", "referenceGrant"}
		r.freeParents, r.portRanges, r.portNames = true, true, true
		r.needsRules, r.ruleNames = true, true
	}},
	{appVersion{6, 0, 0}, func(r *appRules) { r.unknown = true }},
}

var (
	httpRoutes = []string{"HTTPRoute"}
	webRoutes  = []string{"HTTPRoute", "GRPCRoute"}
)
