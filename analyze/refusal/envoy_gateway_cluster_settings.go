package refusal

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"

	"github.com/gwplan/gwplan/loader"
)

// clusterSettings judges how Envoy connects to backends, which a BackendTrafficPolicy says in its spec and other kinds in their
// backendSettings (Envoy Gateway, internal/gatewayapi/clustersettings.go, translateTrafficFeatures).
func clusterSettings(spec *loader.Value) []Refusal {
	return slices.Concat(
		within(spec, "connection.bufferLimit", "0", maxUint32), tableSize(spec.At("loadBalancer.consistentHash.tableSize")),
		windows(spec, "http2"), backOff(spec.At("retry.perRetry.backOff")),
	)
}

// calledWith judges the backendSettings of a service at a path of a spec.
func calledWith(service *loader.Value, path string) []Refusal {
	out := clusterSettings(service.Get("backendSettings"))
	for i := range out {
		out[i].Path = path + ".backendSettings." + out[i].Path
	}
	return out
}

// tableSize judges the size of a table of hashes, which must be a prime (buildConsistentHashLoadBalancer).
func tableSize(at *loader.Value) []Refusal {
	text, known := written(at)
	size, err := strconv.ParseInt(text, 10, 64)
	if !known || err != nil || big.NewInt(size).ProbablyPrime(0) {
		return nil
	}
	return []Refusal{{Path: "loadBalancer.consistentHash.tableSize", At: at, Why: text + " is not a prime"}}
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
