package settle

import (
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/merge"
)

// kgatewayListenerPolicy keeps what applies to a listener: the settings of its port if there are
// any, without merging them, or else the default settings. Client certificate validation is only
// read from the default settings (kgateway
// pkg/kgateway/extensions2/plugins/listenerpolicy/listener_plugin.go, getPolicy and
// GetClientCertificateValidation). If a listener is not in the input, its port is unknown, so all
// settings may apply.
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
