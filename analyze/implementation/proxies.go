package implementation

// Proxies describes the pods that a controller runs for each Gateway. The zero value means those of
// GEP-1762: in the namespace of the Gateway, labelled with its name.
type Proxies struct {
	// None means that no pods belong to one Gateway alone.
	None bool
	// Entity is what Cilium knows as the source of what its Gateways send.
	Entity string
	// Namespace is where the pods are by default, that of the controller; in other modes they are in the namespace of the
	// Gateway. Charts are the names of releases and charts that bring the controller to other namespaces.
	Namespace string
	Charts    []string
	// InGateway is the path of the value of such a chart that, set to GatewayNamespace, has the pods in the namespace of
	// the Gateway alone.
	InGateway []string
	// Elsewhere means that a Gateway with the address of a Service has the pods of that Service, and none of its own.
	Elsewhere bool
	// NameLabel and NamespaceLabel are the labels with the name and the namespace of the Gateway.
	NameLabel, NamespaceLabel string
}
