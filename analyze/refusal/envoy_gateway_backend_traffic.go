package refusal

import (
	"fmt"

	"github.com/gwplan/gwplan/loader"
)

// envoyGatewayBackendTraffic follows Envoy Gateway, internal/gatewayapi/backendtrafficpolicy.go,
// buildLocalRateLimit and buildRateLimitRule, and clustersettings.go, buildRetry.
func envoyGatewayBackendTraffic(spec *loader.Value) []Refusal {
	out := localLimits(spec.Get("rateLimit"))
	for _, kind := range []string{"local", "global"} {
		if kind != "local" || spec.Get("rateLimit").Str("type") != "Global" {
			out = append(out, selectors(spec.Get("rateLimit"), kind)...)
		}
	}
	return append(out, backOff(spec.At("retry.perRetry.backOff"))...)
}

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

// backOff judges the time between retries.
func backOff(at *loader.Value) []Refusal {
	const path = "retry.perRetry.backOff"
	base, hasBase := duration(at.Get("baseInterval"))
	longest, hasLongest := duration(at.Get("maxInterval"))
	switch {
	case hasBase && base == 0:
		return []Refusal{{Path: path, At: at.Get("baseInterval"), Why: "baseInterval cannot be 0s"}}
	case hasLongest && longest == 0:
		return []Refusal{{Path: path, At: at.Get("maxInterval"), Why: "maxInterval cannot be 0s"}}
	case hasBase && hasLongest && base > longest:
		return []Refusal{{Path: path, At: at.Get("maxInterval"), Why: fmt.Sprintf("maxInterval %s is less than baseInterval %s", longest, base)}}
	}
	return nil
}
