package conformance

import (
	"flag"
	"io/fs"
	"os"
	"testing"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientset "k8s.io/client-go/kubernetes"
	clientsetscheme "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"
	"sigs.k8s.io/gateway-api/conformance"
	confv1 "sigs.k8s.io/gateway-api/conformance/apis/v1"
	"sigs.k8s.io/gateway-api/conformance/tests"
	"sigs.k8s.io/gateway-api/conformance/utils/config"
	"sigs.k8s.io/gateway-api/conformance/utils/suite"

	"github.com/gwplan/gwplan/internal/conformance/cluster"
	"github.com/gwplan/gwplan/internal/conformance/controller"
)

// reportVariable holds the file that TestSuite writes its report to.
const reportVariable = "GWPLAN_CONFORMANCE_REPORT"

var only = flag.String("only", "", "run this test of the suite only")

// TestSuite runs the suite itself, and fails with any of its tests. TestConformance starts it, and judges what becomes of
// them; to see that of a single test, run it alone: go test -v -run TestSuite -only HTTPRouteCORS
func TestSuite(t *testing.T) {
	path := os.Getenv(reportVariable)
	if path == "" && *only == "" {
		t.Skip("run by TestConformance, or with -only")
	}
	opts := options(t)
	opts.RunTest = *only
	s, err := suite.NewConformanceTestSuite(opts)
	if err != nil {
		t.Fatal(err)
	}
	ran := false
	t.Run("suite", func(t *testing.T) { // its end is that of the tests that run beside each other
		s.Setup(t, tests.ConformanceTests)
		if err := s.Run(t, tests.ConformanceTests); err != nil {
			t.Fatal(err)
		}
		ran = true
	})
	if !ran {
		return // and so has failed
	}
	report, err := s.Report()
	if err != nil {
		t.Fatal(err)
	}
	if path != "" {
		if err := os.WriteFile(path, text(t, report), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// options are those of the suite.
func options(t *testing.T) suite.ConformanceOptions {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{clientsetscheme.AddToScheme, gatewayv1.Install, apiextensionsv1.AddToScheme} {
		if err := add(scheme); err != nil {
			t.Fatal(err)
		}
	}
	restConfig, manager := world(t)
	clientOptions := client.Options{Scheme: scheme, Mapper: cluster.Mapper()}
	c, err := client.New(restConfig, clientOptions)
	if err != nil {
		t.Fatal(err)
	}
	set, err := clientset.NewForConfig(restConfig)
	if err != nil {
		t.Fatal(err)
	}
	address := gatewayv1.IPAddressType
	return suite.ConformanceOptions{
		Client: c, ClientOptions: clientOptions, Clientset: set, RestConfig: restConfig, ManifestFS: []fs.FS{&conformance.Manifests},
		ConfigurableOptions: suite.ConfigurableOptions{
			GatewayClassName: controller.ClassName, CleanupBaseResources: true, CleanupTestResources: true,
			EnableAllSupportedFeatures: true, ExemptFeatures: untested, ConformanceProfiles: profiles,
			SkipTests: names(skipped), DisableParallelTests: true, TimeoutConfig: timeouts(),
			Implementation: confv1.Implementation{
				Organization: "gwplan", Project: "gwplan", URL: "https://github.com/gwplan/gwplan", Version: "devel",
				Contact: []string{"https://github.com/gwplan/gwplan/issues"},
			},
			UsableNetworkAddresses:   []gatewayv1.GatewaySpecAddress{{Type: &address, Value: manager.UsableAddress()}},
			UnusableNetworkAddresses: []gatewayv1.GatewaySpecAddress{{Type: &address, Value: controller.UnusableAddress}},
		},
	}
}

// timeouts are short: nothing here needs time to take effect but a busy machine.
func timeouts() config.TimeoutConfig {
	const wait = 2 * time.Second
	return config.TimeoutConfig{
		CreateTimeout: wait, DeleteTimeout: wait, GetTimeout: wait, GatewayMustHaveAddress: wait, GatewayMustHaveCondition: wait,
		GatewayStatusMustHaveListeners: wait, GatewayListenersMustHaveConditions: wait, ListenerSetMustHaveCondition: wait,
		ListenerSetListenersMustHaveConditions: wait, GWCMustBeAccepted: wait, HTTPRouteMustNotHaveParents: wait, HTTPRouteMustHaveCondition: wait,
		TLSRouteMustHaveCondition: wait, TCPRouteMustHaveCondition: wait, UDPRouteMustHaveCondition: wait, RouteMustHaveParents: wait,
		ManifestFetchTimeout: wait, MaxTimeToConsistency: wait, NamespacesMustBeReady: wait, RequestTimeout: 3 * wait,
		LatestObservedGenerationSet: wait, DefaultTestTimeout: 3 * wait, DefaultPollInterval: 50 * time.Millisecond,
		RequiredConsecutiveSuccesses: 1,
	}
}
