// Package cluster is an API server as far as the conformance suite needs one: it stores objects, and serves them over
// HTTP with the pods of their Deployments and with the .status that a controller gives them.
package cluster

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/google/uuid"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
)

// Key names an object.
type Key struct{ Group, Kind, Namespace, Name string }

// KeyOf returns the key of an object.
func KeyOf(object *unstructured.Unstructured) Key {
	return Key{object.GroupVersionKind().Group, object.GetKind(), object.GetNamespace(), object.GetName()}
}

// Store holds objects. Its version grows with each change.
type Store struct {
	mu      sync.RWMutex
	version int64
	objects map[Key]*unstructured.Unstructured
	// sorted are the objects in their order, as long as none changes.
	sorted []*unstructured.Unstructured
	// services is how many Services have got an address.
	services int
}

// NewStore returns an empty store.
func NewStore() *Store {
	return &Store{objects: map[Key]*unstructured.Unstructured{}}
}

// The errors of writes.
var (
	errExists   = errors.New("the object exists already")
	errMissing  = errors.New("there is no such object")
	errConflict = errors.New("the object has been modified")
)

// Version is that of what is stored.
func (s *Store) Version() int64 {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.version
}

// Objects returns all objects in a stable order, with the version at which they are these. Nobody may change them.
func (s *Store) Objects() ([]*unstructured.Unstructured, int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sorted == nil {
		keys := slices.SortedFunc(maps.Keys(s.objects), func(x, y Key) int {
			return cmp.Or(cmp.Compare(x.Group, y.Group), cmp.Compare(x.Kind, y.Kind), cmp.Compare(x.Namespace, y.Namespace), cmp.Compare(x.Name, y.Name))
		})
		s.sorted = make([]*unstructured.Unstructured, 0, len(keys))
		for _, key := range keys {
			s.sorted = append(s.sorted, s.objects[key])
		}
	}
	return s.sorted, s.version
}

// Get returns an object as it is stored, or nil. Nobody may change it.
func (s *Store) Get(key Key) *unstructured.Unstructured {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.objects[key]
}

// Read reads an object into a typed one, and reports whether there is one.
func (s *Store) Read(key Key, into any) bool {
	object := s.Get(key)
	return object != nil && Decode(object, into) == nil
}

// Decode reads an object into a typed one.
func Decode(object *unstructured.Unstructured, into any) error {
	return runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, into)
}

// Create stores a new object.
func (s *Store) Create(object *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := KeyOf(object)
	if s.objects[key] != nil {
		return nil, errExists
	}
	object = object.DeepCopy()
	unstructured.RemoveNestedField(object.Object, "status")
	object.SetUID(types.UID(uuid.NewString()))
	object.SetGeneration(1)
	unstructured.SetNestedField(object.Object, time.Now().UTC().Format(time.RFC3339), "metadata", "creationTimestamp")
	if key.Group == "" && key.Kind == "Service" {
		s.giveAddress(object)
	}
	s.put(key, object)
	return object, nil
}

// giveAddress gives a Service its cluster address, if it asks for none.
func (s *Store) giveAddress(service *unstructured.Unstructured) {
	if address, _, _ := unstructured.NestedString(service.Object, "spec", "clusterIP"); address == "" {
		s.services++
		unstructured.SetNestedField(service.Object, fmt.Sprintf("10.96.%d.%d", s.services/250, s.services%250+1), "spec", "clusterIP")
	}
}

// Update replaces an object, or only its .status. A resourceVersion in it must be the stored one.
func (s *Store) Update(object *unstructured.Unstructured, status bool) (*unstructured.Unstructured, error) {
	return s.Change(KeyOf(object), status, func(*unstructured.Unstructured) (*unstructured.Unstructured, error) { return object, nil })
}

// Change replaces an object, or only its .status, by what a function makes of it.
func (s *Store) Change(key Key, status bool, change func(*unstructured.Unstructured) (*unstructured.Unstructured, error)) (*unstructured.Unstructured, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.objects[key]
	if old == nil {
		return nil, errMissing
	}
	written, err := change(old.DeepCopy())
	if err != nil {
		return nil, err
	}
	if v := written.GetResourceVersion(); v != "" && v != old.GetResourceVersion() {
		return nil, errConflict
	}
	next := written.DeepCopy()
	if status {
		next = old.DeepCopy()
		next.Object["status"] = written.DeepCopy().Object["status"]
	} else if kept, ok := old.Object["status"]; ok {
		next.Object["status"] = kept
	} else {
		delete(next.Object, "status")
	}
	next.SetUID(old.GetUID())
	next.SetCreationTimestamp(old.GetCreationTimestamp())
	next.SetGeneration(old.GetGeneration())
	next.SetResourceVersion(old.GetResourceVersion())
	if !apiequality.Semantic.DeepEqual(next.Object["spec"], old.Object["spec"]) {
		next.SetGeneration(old.GetGeneration() + 1)
	}
	if !apiequality.Semantic.DeepEqual(next.Object, old.Object) {
		s.put(key, next)
	}
	return next, nil
}

// Delete removes an object; with a Namespace goes what is in it.
func (s *Store) Delete(key Key) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.objects[key] == nil {
		return errMissing
	}
	delete(s.objects, key)
	if key.Group == "" && key.Kind == "Namespace" {
		for other := range s.objects {
			if other.Namespace == key.Name {
				delete(s.objects, other)
			}
		}
	}
	s.changed()
	return nil
}

func (s *Store) put(key Key, object *unstructured.Unstructured) {
	s.changed()
	object.SetResourceVersion(strconv.FormatInt(s.version, 10))
	s.objects[key] = object
}

func (s *Store) changed() {
	s.version++
	s.sorted = nil
}

// Manifest is what is stored as a file of manifests, and its version. It is without what only controllers write, and
// without the definitions of kinds, which are stubs here.
func (s *Store) Manifest() ([]byte, int64) {
	objects, version := s.Objects()
	var out []byte
	for _, object := range objects {
		if object.GetKind() == "CustomResourceDefinition" {
			continue
		}
		plain := map[string]any{}
		for name, value := range object.Object {
			if name != "status" {
				plain[name] = value
			}
		}
		if metadata, ok := plain["metadata"].(map[string]any); ok { // a new .status makes a new version of it
			metadata = maps.Clone(metadata)
			delete(metadata, "resourceVersion")
			plain["metadata"] = metadata
		}
		text, err := json.Marshal(plain)
		if err != nil {
			panic(err) // it came from JSON
		}
		out = append(append(out, text...), "\n---\n"...)
	}
	return out, version
}
