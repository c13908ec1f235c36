package upgrade

// unread are controllers whose release notes are not read: that another minor release comes is known, and not what it changes. The
// version of a chart is that of the project unless the project numbers its charts otherwise.
var unread = []*Project{
	{Name: "agentgateway", Word: "agentgateway", Charts: []string{"agentgateway"}, Repository: "agentgateway/agentgateway", Images: []string{"agentgateway/controller"}},
	{Name: "APISIX Ingress Controller", Word: "apisix", Charts: []string{"apisix-ingress-controller"}, Repository: "apache/apisix-ingress-controller", Images: []string{"apache/apisix-ingress-controller"}},
	{Name: "AWS Load Balancer Controller", Word: "aws-load-balancer-controller", Charts: []string{"aws-load-balancer-controller"}, Repository: "kubernetes-sigs/aws-load-balancer-controller", Images: []string{"eks/aws-load-balancer-controller"}},
	{Name: "Cilium", Word: "cilium", Charts: []string{"cilium"}, Repository: "cilium/cilium", Images: []string{"cilium/operator-generic", "cilium/operator-aws", "cilium/operator-azure", "cilium/operator-alibabacloud", "cilium/operator"}},
	{Name: "Contour", Word: "contour", Charts: []string{"contour"}, Repository: "projectcontour/contour", Images: []string{"projectcontour/contour"}},
	{Name: "Envoy AI Gateway", Word: "envoy-ai-gateway", Charts: []string{"ai-gateway-helm"}, Repository: "envoyproxy/ai-gateway", Images: []string{"envoyproxy/ai-gateway-controller"}},
	{Name: "kgateway", Word: "kgateway", Charts: []string{"kgateway"}, Repository: "kgateway-dev/kgateway", Images: []string{"kgateway-dev/kgateway"}},
	{Name: "Kong Ingress Controller", Word: "kong", Charts: []string{"ingress", "kong"}, Repository: "Kong/kubernetes-ingress-controller", Images: []string{"kong/kubernetes-ingress-controller"}},
	{Name: "Kuadrant", Word: "kuadrant", Charts: []string{"kuadrant-operator"}, Repository: "Kuadrant/kuadrant-operator", Images: []string{"kuadrant/kuadrant-operator"}},
	{Name: "NGINX Gateway Fabric", Word: "nginx-gateway-fabric", Charts: []string{"nginx-gateway-fabric"}, Repository: "nginx/nginx-gateway-fabric", Images: []string{"nginx/nginx-gateway-fabric", "nginxinc/nginx-gateway-fabric"}},
	{Name: "Traefik", Word: "traefik", Charts: []string{"traefik"}, Repository: "traefik/traefik", Images: []string{"library/traefik", "traefik/traefik"}},
}

// IsRead reports whether the changes of some releases of a project are known.
func (p *Project) IsRead() bool { return p.Last != Version{} }
