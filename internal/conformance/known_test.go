package conformance

import (
	"maps"
	"slices"

	"sigs.k8s.io/gateway-api/conformance/utils/suite"
	"sigs.k8s.io/gateway-api/pkg/features"
)

// profiles are the profiles of the suite that gwplan is held to.
var profiles = []suite.ConformanceProfileName{
	suite.GatewayHTTPConformanceProfileName,
	suite.GatewayGRPCConformanceProfileName,
	suite.GatewayTLSConformanceProfileName,
	suite.GatewayTCPConformanceProfileName,
	suite.GatewayUDPConformanceProfileName,
	suite.MeshHTTPConformanceProfileName,
	suite.MeshGRPCConformanceProfileName,
}

// untested are features that no test of the suite is about, so that the report does not claim them.
var untested = []features.FeatureName{
	features.SupportClusterTrustBundle, features.SupportGatewayAddressRoutability, features.SupportGatewayAddressRoutabilityCluster,
	features.SupportGatewayListenerFilters,
}

// skipped are the tests that do not run, each with the reason.
var skipped = map[string]string{}

// knownFailures are the tests of the suite that fail, each with the reason.
var knownFailures = map[string]string{
	"GatewayStaticAddresses": "whether a controller that is not known supports an address of a type with a domain is unknown, and the test wants it refused",
}

func names(table map[string]string) []string { return slices.Sorted(maps.Keys(table)) }
