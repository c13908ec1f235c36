package apptemplate

// appRules are what differs between the releases of app-template.
type appRules struct {
	// unknown are releases whose templates were never read here.
	unknown bool
	// schema says that Helm checks the values by appFields before it renders.
	schema bool
	// defaults are the values of the library below those of the release, as YAML.
	defaults string
	// unread are the paths of values that make objects which are not made here.
	unread []string

	// services, ports and routes say which entries count.
	services, ports, routes switching
	// strictServices and strictRoutes say that an entry which is no map makes the
	// templates fail; elsewhere it is passed over.
	strictServices, strictRoutes bool
	// showsServicesOff says that Services are rendered though they do not count.
	showsServicesOff bool
	// codeServer says that the add-on of that name brings a Service.
	codeServer bool

	// serviceNames and routeNames say which objects are called as the release.
	serviceNames, routeNames plainName
	// overrideTemplates says that nameOverride is a template.
	overrideTemplates bool
	// once says that a key which is the release's name is not added to it.
	once bool
	// affixes says that names may have a prefix and a suffix and are lower case.
	affixes bool
	// mayAddKeys says that a global value adds the keys to all names.
	mayAddKeys bool

	// labelTemplates says that labels and annotations are templates, bareLabels that
	// they then stand in YAML without quotes.
	labelTemplates, bareLabels bool
	// serviceLabelWins says that the label with the Service's name wins over one of
	// the values.
	serviceLabelWins bool

	// controllers says what a Service needs of them, and that it is checked at all.
	controllers controllerNeed
	// controllerLabel is on the pods of a controller.
	controllerLabel string
	// namedTargets says that a targetPort is the port's name where none is given.
	namedTargets bool
	// containerPorts says that containers have the ports of services, and need their
	// numbers.
	containerPorts bool
	// schemeAnnotation says that Traefik is told of a primary port with HTTPS.
	schemeAnnotation bool
	// appProtocol, externalName and portRanges are fields that are read.
	appProtocol, externalName, portRanges bool

	// asks are the versions of Gateway API that the cluster is asked for: the last
	// one that has the kind counts, else v1alpha2.
	asks []string
	// freeParents says that a parent needs no namespace.
	freeParents bool
	// emptySections says that a parent has a sectionName in any case.
	emptySections, parentPorts bool
	// hostTemplates says that hostnames are templates.
	hostTemplates bool
	// ruleFields are those that are copied, with the kinds of routes that have them;
	// ruleNames says that there is a name, too, which is a template.
	ruleFields []ruleField
	ruleNames  bool
	// refusesRedirects says that no rule may have backends and a redirect.
	refusesRedirects bool

	// backends says what is meant by their names.
	backends backendNames
	// writtenPorts says that a backend's own port wins over that of the service.
	writtenPorts bool
	// sortedPorts says that where no port is primary the first by name is, not any.
	sortedPorts bool
	// needsPorts says that a service without ports can be no backend.
	needsPorts bool
	// portNames says that a backend's port may be the name of one.
	portNames bool
	// zeroWeights says that a weight of 0 is not taken for none.
	zeroWeights bool
	// detects says that a backend without a name is the only service, defaultRule
	// that a route without rules has such a backend, and needsRules that there must
	// be rules where there is no such service.
	detects, defaultRule, needsRules bool

	// unsureTemplates says that some of these releases may render values that others
	// copy.
	unsureTemplates bool
}

// switching says which entries of a map count.
type switching uint8

const (
	never     switching = iota
	ifOn                // those with a true enabled
	unlessOff           // those without a false enabled
)

// plainName says which objects have the plain name, without their key.
type plainName uint8

const (
	noPlainName    plainName = iota
	plainForFirst            // the primary one of all
	plainIfPrimary           // those that call themselves primary
	plainIfAlone             // these, and one that is alone
)

// controllerNeed says which controller a Service must have.
type controllerNeed uint8

const (
	noController    controllerNeed = iota
	namedController                // one must be named
	knownController                // it must be there, and not empty
	foundController                // it must be there; a single one need not be named
)

// backendNames says what the name of a backend means.
type backendNames uint8

const (
	byRoute      backendNames = iota // an object; without one, what is called as the route
	byKey                            // the key of a service, else an object
	byIdentifier                     // an object; the key of a service is its identifier
)

// ruleField is a field of a rule that is copied to routes of these kinds.
type ruleField struct {
	name  string
	kinds []string
}

// appStage is a release that changed something, with what it changed.
type appStage struct {
	since  appVersion
	change func(*appRules)
}

// rulesOf are the rules of a release: the changes up to it.
func rulesOf(v appVersion) appRules {
	var r appRules
	for _, s := range appStages {
		if !v.before(s.since) {
			s.change(&r)
		}
	}
	return r
}

// appStages are the changes from old to new, as the differences between the
// packages of two releases show them. Beside each stand the files it was read from.
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
	// What the releases after 4.1.1 have in common was read from later templates; the
	// schema of their values is not known here.
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
