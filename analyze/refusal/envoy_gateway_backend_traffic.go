package refusal

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/loader"
)

// envoyGatewayBackendTraffic follows Envoy Gateway, internal/gatewayapi/backendtrafficpolicy.go,
// buildLocalRateLimit, buildGlobalRateLimit, buildRateLimitRule, buildRequestBuffer, bandwidthToKibps and validateTelemetry.
func envoyGatewayBackendTraffic(spec *loader.Value) []Refusal {
	out := slices.Concat(
		kindOfLimits(spec.Get("rateLimit")), localLimits(spec.Get("rateLimit")),
		within(spec, "requestBuffer.limit", "0", maxUint32), bandwidth(spec.Get("bandwidthLimit")),
		statName(spec.At("telemetry.metrics.routeStatName")),
	)
	for _, kind := range []string{"local", "global"} {
		if kind != "local" || spec.Get("rateLimit").Str("type") != "Global" {
			out = append(out, selectors(spec.Get("rateLimit"), kind)...)
		}
	}
	return append(out, clusterSettings(spec)...)
}

// kindOfLimits judges whether the limits of the type that is chosen are there.
func kindOfLimits(limits *loader.Value) []Refusal {
	field, known := map[string]string{"Local": "local", "Global": "global"}[limits.Str("type")]
	if !known || !limits.Get(field).IsNull() {
		return nil
	}
	return []Refusal{{Path: "rateLimit", At: limits.Get("type"), Why: "type " + limits.Str("type") + " needs " + field}}
}

// bandwidth judges limits below the least that Envoy can hold.
func bandwidth(limits *loader.Value) []Refusal {
	for _, direction := range []string{"request", "response"} {
		at := limits.Get(direction).Get("limit")
		amount := at.Get("value")
		text, known := written(amount)
		least := map[string]string{"Minute": "60Ki", "Hour": "3600Ki"}[at.Str("unit")]
		if least == "" {
			least = "1Ki"
		}
		if order, ok := merge.CompareAmounts(text, least); known && ok && order < 0 {
			return []Refusal{{Path: "bandwidthLimit." + direction, At: amount, Why: text + " is below 1 KiB in a second"}}
		}
	}
	return nil
}

// operator matches what Envoy fills into the name of a statistic.
var operator = regexp.MustCompile(`%[^%]*%`)

// statName judges the name of a route's statistics (api/v1alpha1/validation/envoyproxy_validate.go, ValidateRouteStatName).
func statName(at *loader.Value) []Refusal {
	text, known := written(at)
	if !known {
		return nil
	}
	found := operator.FindAllString(text, maxOperators)
	refuse := func(why string) []Refusal {
		return []Refusal{{Path: "telemetry.metrics.routeStatName", At: at, Why: why}}
	}
	if len(found) == 0 && strings.Contains(text, "%") {
		return refuse("a percent sign begins no operator")
	}
	for _, one := range found {
		if !slices.Contains([]string{"%ROUTE_NAME%", "%ROUTE_NAMESPACE%", "%ROUTE_KIND%", "%ROUTE_RULE_NAME%"}, one) {
			return refuse("there is no operator " + one)
		}
	}
	return nil
}

// maxOperators is how many operators of a name are looked at.
const maxOperators = 1000

// unitSeconds is internal/utils/ratelimit/unit.go, UnitToSeconds.
var unitSeconds = map[string]int64{
	"Second": 1, "Minute": 60, "Hour": 3600, "Day": 86400, "Week": 7 * 86400, "Month": 30 * 86400, "Year": 365 * 86400,
}

// localLimits judges local limits: one rule without clientSelectors is the limit of all requests,
// and the units of the others are multiples of its unit.
func localLimits(limits *loader.Value) []Refusal {
	if limits.Str("type") == "Global" {
		return nil
	}
	const path = "rateLimit.local.rules"
	rules := limits.Get("local").List("rules")
	var all *loader.Value
	for _, rule := range rules {
		selectors := rule.Get("clientSelectors")
		switch {
		case len(selectors.ItemList()) > 0 || selectors != nil && selectors.Opaque:
		case all != nil:
			return []Refusal{{Path: path, At: rule, Why: "only one rule may have no clientSelectors"}}
		default:
			all = rule
		}
	}
	unit := int64(1)
	if all != nil {
		text, known := written(all.At("limit.unit"))
		if !known {
			return nil
		}
		unit = unitSeconds[text]
	}
	for _, rule := range rules {
		at := rule.At("limit.unit")
		text, known := written(at)
		if own := unitSeconds[text]; known && own > 0 && unit > 0 && own%unit != 0 {
			return []Refusal{{
				Path: path, At: at,
				Why: fmt.Sprintf("the unit %s is not a multiple of %s, the unit of the rule without clientSelectors", text, all.At("limit.unit").Text),
			}}
		}
	}
	return nil
}

// selectors judges which clients the rules of a rate limit select.
func selectors(limits *loader.Value, kind string) []Refusal {
	path := "rateLimit." + kind + ".rules.clientSelectors"
	for _, rule := range limits.Get(kind).List("rules") {
		for _, selector := range rule.List("clientSelectors") {
			for _, field := range []string{"headers", "queryParams"} {
				for _, match := range selector.List(field) {
					invert, _ := written(match.Get("invert"))
					switch {
					case match.Str("type") != "Distinct" && !match.Opaque && (match.Get("value").IsNull() || field == "queryParams" && isEmptyText(match.Get("value"))):
						return []Refusal{{Path: path + "." + field, At: match, Why: "a match has no value"}}
					case match.Str("type") != "Distinct":
					case invert == "true":
						return []Refusal{{Path: path + "." + field, At: match.Get("invert"), Why: "a match of type Distinct cannot be inverted"}}
					case !match.Get("value").IsNull():
						return []Refusal{{Path: path + "." + field, At: match.Get("value"), Why: "a match of type Distinct has no value"}}
					}
				}
			}
		}
	}
	return nil
}

func isEmptyText(v *loader.Value) bool {
	text, known := written(v)
	return known && text == ""
}
