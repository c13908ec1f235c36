package main

import (
	"errors"
	"maps"
	"reflect"
	"sync"

	networking "istio.io/client-go/pkg/apis/networking/v1"
	"istio.io/istio/pilot/pkg/config/kube/gateway"
	"istio.io/istio/pilot/pkg/model"
	registry "istio.io/istio/pilot/pkg/serviceregistry/kube"
	"istio.io/istio/pilot/pkg/serviceregistry/kube/controller"
	"istio.io/istio/pilot/pkg/status"
	"istio.io/istio/pkg/config/host"
	"istio.io/istio/pkg/config/schema/collections"
	"istio.io/istio/pkg/config/schema/gvk"
	"istio.io/istio/pkg/config/schema/gvr"
	"istio.io/istio/pkg/kube"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	metadatafake "k8s.io/client-go/metadata/fake"
	"sigs.k8s.io/gateway-api/pkg/consts"
)

// runGatewayController has the gateway controller judge the objects, and gives the statuses that it would write.
func runGatewayController(objects []runtime.Object) (map[target]any, error) {
	stop := make(chan struct{})
	client := kube.NewFakeClient(objects...)
	defer client.Shutdown()
	defer close(stop)
	if err := installDefinitions(client); err != nil {
		return nil, err
	}
	// Once before the controller: it then knows which kinds there are from the start.
	client.RunAndWait(stop)
	c := gateway.NewController(client, noClassController, controller.Options{
		ClusterID:       cluster,
		DomainSuffix:    domain,
		Revision:        revision,
		SystemNamespace: systemNamespace,
	}, nil)
	go c.Run(stop)
	client.RunAndWait(stop)
	c.Reconcile(knownServices(objects))
	if !kube.WaitForCacheSync("gateway", stop, c.HasSynced) {
		return nil, errors.New("the gateway controller does not settle")
	}
	// Twice, because a handler may count as done too early where its collection is not complete when it starts. After the
	// first time all are.
	sink := &queue{statuses: map[target]any{}}
	statuses := statusesOf(c)
	for range 2 {
		statuses.UnsetQueue()
		for _, handler := range statuses.SetQueue(sink) {
			if !handler.WaitUntilSynced(stop) {
				return nil, errors.New("the statuses do not settle")
			}
		}
	}
	return sink.all(), nil
}

// queue takes the place of the queue that writes statuses to the API server. It keeps the last one of each object.
type queue struct {
	mu       sync.Mutex
	statuses map[target]any
}

// EnqueueStatusUpdateResource is what the controller calls to have a status written.
func (q *queue) EnqueueStatusUpdateResource(value any, of status.Resource) {
	kind, _ := gvk.FromGVR(of.GroupVersionResource)
	q.mu.Lock()
	defer q.mu.Unlock()
	q.statuses[target{kind.Kubernetes().GroupKind(), of.Namespace, of.Name}] = value
}

func (q *queue) all() map[target]any {
	q.mu.Lock()
	defer q.mu.Unlock()
	return maps.Clone(q.statuses)
}

// noClassController leaves out the controller that creates GatewayClasses: the world has them from the start.
func noClassController(schema.GroupVersionResource, <-chan struct{}) bool { return false }

// statusesOf gives what the controller registers its statuses with. Its exported way, SetStatusWrite, writes them from
// workers that nobody can wait for.
func statusesOf(c *gateway.Controller) *status.StatusCollections {
	return (*status.StatusCollections)(reflect.ValueOf(c).Elem().FieldByName("status").UnsafePointer())
}

// installDefinitions tells the client that the kinds of all schemas are installed. The controller asks no more of a
// definition than its name and the release of Gateway API.
func installDefinitions(client kube.Client) error {
	tracker := client.Metadata().(*metadatafake.FakeMetadataClient).Tracker()
	for _, kind := range collections.All.All() {
		if kind.IsBuiltin() {
			continue
		}
		err := tracker.Create(gvr.CustomResourceDefinition, &metav1.PartialObjectMetadata{
			ObjectMeta: metav1.ObjectMeta{
				Name:        kind.Plural() + "." + kind.Group(),
				Annotations: map[string]string{consts.BundleVersionAnnotation: consts.BundleVersion},
			},
		}, "")
		if err != nil {
			return err
		}
	}
	return nil
}

// knownServices is what the controller takes from istiod's service registry: which host names there are in a namespace.
// They have no endpoints.
func knownServices(objects []runtime.Object) *model.PushContext {
	push := model.NewPushContext()
	add := func(s *model.Service) {
		byNamespace := push.ServiceIndex.HostnameAndNamespace[s.Hostname]
		if byNamespace == nil {
			byNamespace = map[string]*model.Service{}
			push.ServiceIndex.HostnameAndNamespace[s.Hostname] = byNamespace
		}
		byNamespace[s.Attributes.Namespace] = s
	}
	for _, entry := range only[*networking.ServiceEntry](objects) {
		for _, name := range entry.Spec.Hosts {
			add(&model.Service{Hostname: host.Name(name), Attributes: model.ServiceAttributes{Namespace: entry.Namespace}})
		}
	}
	for _, s := range only[*corev1.Service](objects) {
		add(registry.ConvertService(*s, nil, domain, cluster, domain))
	}
	return push
}
