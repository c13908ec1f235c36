package settle

import (
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/merge"
)

// kgatewayListenerPolicy leaves what a listener gets: the settings of its port
// where there are some, whole, else the default ones. Client certificates are
// asked of the default ones alone (kgateway
// pkg/kgateway/extensions2/plugins/listenerpolicy/listener_plugin.go, getPolicy
// and GetClientCertificateValidation). Of a listener that is not in the input nobody knows the
// port, so that all of it may count.
func kgatewayListenerPolicy(spec *merge.Tree, at Target) *merge.Tree {
	ports := spec.Get("perPort")
	if ports == nil || ports.Kind != merge.Keyed || at.Level != hierarchy.LevelListener || at.Value == nil {
		return spec
	}
	port := listenerPort(at.Node)
	own := ports.Get(port)
	if own == nil {
		return orNil(spec.Without("perPort"))
	}
	only := *ports
	only.Entries = []merge.Entry{{Key: port, Tree: own}}
	certificates := spec.At("default.clientCertificateValidation")
	spec = spec.Without("default").Put("perPort", &only)
	if certificates != nil {
		spec = spec.Put("default.clientCertificateValidation", certificates)
	}
	return spec
}

func listenerPort(at *hierarchy.Node) string {
	if port := at.Value.Get("port"); port != nil {
		return port.Text
	}
	return ""
}
