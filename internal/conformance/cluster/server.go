package cluster

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strings"
	"time"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// Server serves a store over HTTP.
type Server struct {
	Store *Store
	Logs  *Logs
	// Completed returns an object with the .status that its controller has given it, and Generated returns objects
	// that controllers have made and that are not stored.
	Completed func(*unstructured.Unstructured) (*unstructured.Unstructured, error)
	Generated func() []*unstructured.Unstructured
	// Run runs a command in a pod, and returns what it prints.
	Run func(pod types.NamespacedName, command []string) string
}

// place is what a path names: a collection, an object, or a part of one.
type place struct {
	kind
	apiVersion, namespace, name, part string
}

// parse reads a path: /api/v1/… or /apis/GROUP/VERSION/…, then [namespaces/NS/]PLURAL[/NAME[/PART]].
func parse(path string) (place, bool) {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	var p place
	var group string
	switch {
	case len(parts) > 2 && parts[0] == "api":
		p.apiVersion, parts = parts[1], parts[2:]
	case len(parts) > 3 && parts[0] == "apis":
		group, p.apiVersion, parts = parts[1], parts[1]+"/"+parts[2], parts[3:]
	default:
		return p, false
	}
	if parts[0] == "namespaces" && len(parts) > 2 {
		p.namespace, parts = parts[1], parts[2:]
	}
	known := false
	p.kind, known = kindOf(group, parts[0])
	if len(parts) > 1 {
		p.name = parts[1]
	}
	if len(parts) > 2 {
		p.part = parts[2]
	}
	return p, known && len(parts) < 4
}

func (p place) key() Key { return Key{p.group, p.kind.kind, p.namespace, p.name} }

// ServeHTTP answers a request of a client.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p, ok := parse(r.URL.Path)
	if !ok {
		fail(w, http.StatusNotFound, metav1.StatusReasonNotFound, "there is nothing at "+r.URL.Path)
		return
	}
	if p.kind.kind == "Pod" && p.part == "log" {
		s.log(w, r, p)
		return
	}
	if p.kind.kind == "Pod" && p.part == "exec" {
		s.exec(w, r, types.NamespacedName{Namespace: p.namespace, Name: p.name})
		return
	}
	object, err := s.act(r, p)
	switch {
	case errors.Is(err, errMissing):
		fail(w, http.StatusNotFound, metav1.StatusReasonNotFound, err.Error())
	case errors.Is(err, errExists):
		fail(w, http.StatusConflict, metav1.StatusReasonAlreadyExists, err.Error())
	case errors.Is(err, errConflict):
		fail(w, http.StatusConflict, metav1.StatusReasonConflict, err.Error())
	case err != nil:
		fail(w, http.StatusInternalServerError, metav1.StatusReasonInternalError, err.Error())
	default:
		answer(w, http.StatusOK, object)
	}
}

// act does what a request asks for.
func (s *Server) act(r *http.Request, p place) (any, error) {
	status := p.part == "status"
	switch r.Method {
	case http.MethodGet:
		if p.name == "" {
			return s.list(p, r.URL.Query().Get("labelSelector"))
		}
		object, err := s.get(p)
		if err != nil {
			return nil, err
		}
		return s.shown(object)
	case http.MethodPost:
		object, err := body(r, p)
		if err != nil {
			return nil, err
		}
		if object, err = s.Store.Create(object); err != nil {
			return nil, err
		}
		return s.shown(object)
	case http.MethodPut:
		object, err := body(r, p)
		if err != nil {
			return nil, err
		}
		if object, err = s.Store.Update(object, status); err != nil {
			return nil, err
		}
		return s.shown(object)
	case http.MethodPatch:
		object, err := s.patch(r, p, status)
		if err != nil {
			return nil, err
		}
		return s.shown(object)
	case http.MethodDelete:
		if err := s.Store.Delete(p.key()); err != nil {
			return nil, err
		}
		return &metav1.Status{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}, Status: metav1.StatusSuccess}, nil
	}
	return nil, fmt.Errorf("method %s is not known", r.Method)
}

func body(r *http.Request, p place) (*unstructured.Unstructured, error) {
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	object := &unstructured.Unstructured{}
	if err := utiljson.Unmarshal(text, &object.Object); err != nil { // unlike encoding/json it keeps integers
		return nil, err
	}
	object.SetAPIVersion(p.apiVersion)
	object.SetKind(p.kind.kind)
	if p.namespace != "" {
		object.SetNamespace(p.namespace)
	}
	return object, nil
}

// patch applies a JSON merge patch (RFC 7386), the only sort that the suite sends.
func (s *Server) patch(r *http.Request, p place, status bool) (*unstructured.Unstructured, error) {
	if kind := r.Header.Get("Content-Type"); kind != string(types.MergePatchType) {
		return nil, fmt.Errorf("patches of the type %s are not known", kind)
	}
	patch, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	return s.Store.Change(p.key(), status, func(old *unstructured.Unstructured) (*unstructured.Unstructured, error) {
		text, err := old.MarshalJSON()
		if err != nil {
			return nil, err
		}
		if text, err = jsonpatch.MergePatch(text, patch); err != nil {
			return nil, err
		}
		next := &unstructured.Unstructured{}
		return next, next.UnmarshalJSON(text)
	})
}

func (s *Server) get(p place) (*unstructured.Unstructured, error) {
	if object := s.Store.Get(p.key()); object != nil {
		return object, nil
	}
	for _, object := range s.others() {
		if KeyOf(object) == p.key() {
			return object, nil
		}
	}
	return nil, errMissing
}

// others are the objects that are not stored.
func (s *Server) others() []*unstructured.Unstructured {
	out := s.Generated()
	for _, pod := range s.Store.Pods() {
		content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&pod)
		if err != nil {
			panic(err) // a pod is a typed object
		}
		out = append(out, &unstructured.Unstructured{Object: content})
	}
	return out
}

func (s *Server) list(p place, selector string) (any, error) {
	selected, err := labels.Parse(selector)
	if err != nil {
		return nil, err
	}
	objects, version := s.Store.Objects()
	if p.group == "" {
		objects = append(objects, s.others()...)
	}
	items := []any{}
	for _, object := range objects {
		key := KeyOf(object)
		if key.Group != p.group || key.Kind != p.kind.kind || p.namespace != "" && key.Namespace != p.namespace || !selected.Matches(labels.Set(object.GetLabels())) {
			continue
		}
		shown, err := s.shown(object)
		if err != nil {
			return nil, err
		}
		items = append(items, shown.Object)
	}
	return map[string]any{
		"apiVersion": p.apiVersion, "kind": p.kind.kind + "List", "items": items,
		"metadata": map[string]any{"resourceVersion": fmt.Sprint(version)},
	}, nil
}

// shown is an object as clients see it.
func (s *Server) shown(object *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	if object.GroupVersionKind().Group != gatewayGroup {
		return object, nil
	}
	return s.Completed(&unstructured.Unstructured{Object: maps.Clone(object.Object)})
}

// log prints the log of a pod, from the query's sinceTime on.
func (s *Server) log(w http.ResponseWriter, r *http.Request, p place) {
	since, _ := time.Parse(time.RFC3339, r.URL.Query().Get("sinceTime"))
	for _, line := range s.Logs.since(types.NamespacedName{Namespace: p.namespace, Name: p.name}, since) {
		fmt.Fprintln(w, line)
	}
}

func answer(w http.ResponseWriter, status int, object any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(object); err != nil {
		panic(http.ErrAbortHandler)
	}
}

func fail(w http.ResponseWriter, code int, reason metav1.StatusReason, message string) {
	answer(w, code, &metav1.Status{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"},
		Status:   metav1.StatusFailure, Code: int32(code), Reason: reason, Message: message,
	})
}
