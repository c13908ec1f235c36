package dataplane

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/types"

	"github.com/gwplan/gwplan/internal/conformance/echo"
	"github.com/gwplan/gwplan/internal/conformance/planner"
)

// Run runs the command of the suite's client in a pod: client URL [--method=M] [-H NAME:VALUE] [--count=N]. It returns
// what the client prints, a paragraph for each request.
func (d *DataPlane) Run(pod types.NamespacedName, command []string) string {
	r, count, err := parseCommand(command)
	if err != nil {
		return err.Error()
	}
	var out strings.Builder
	for range count {
		recorder := httptest.NewRecorder()
		d.call(recorder, r.Clone(r.Context()), pod.Namespace)
		out.WriteString(printed(recorder.Result(), recorder.Body.Bytes()) + "\n")
	}
	return out.String()
}

func parseCommand(command []string) (*http.Request, int, error) {
	if len(command) < 2 || command[0] != "client" {
		return nil, 0, fmt.Errorf("command %q is not known", command)
	}
	target, err := url.Parse(command[1])
	if err != nil {
		return nil, 0, err
	}
	if target.Path == "" {
		target.Path = "/"
	}
	r := httptest.NewRequest(http.MethodGet, target.String(), nil)
	if target.Scheme == "grpc" {
		r.Method, r.URL.Path = http.MethodPost, "/proto.EchoTestService/Echo" // the only method that the client calls
	}
	count := 1
	for i, argument := range command {
		name, value, _ := strings.Cut(argument, "=")
		switch name {
		case "--method":
			r.Method = value
		case "--count":
			count, err = strconv.Atoi(value)
		case "-H":
			name, value, _ := strings.Cut(command[i+1], ":")
			if strings.EqualFold(name, "host") {
				r.Host = value
			} else {
				r.Header.Set(name, value)
			}
		}
	}
	return r, count, err
}

// call sends a request of a workload. A request that no route takes goes where Kubernetes itself leads it.
func (d *DataPlane) call(w http.ResponseWriter, r *http.Request, namespace string) {
	header := r.Header.Clone()
	if r.Host != r.URL.Host {
		header.Set("Host", r.Host)
	}
	method := r.Method
	if r.URL.Scheme == "grpc" {
		method = ""
	}
	answer, err := d.Planner.Trace(&planner.Request{From: namespace, URL: r.URL.String(), Method: method, Header: header})
	if err != nil {
		log.Print(err)
		w.WriteHeader(http.StatusNotImplemented)
		return
	}
	mesh := newCarrier(d, 0, types.NamespacedName{}) // of no Gateway
	// Of a Service without a route it is said that the mesh leads to its pods.
	if answer.Outcome != planner.Refused && answer.Outcome != planner.NotKnown || answer.Gateway != "" {
		mesh.answer(w, r, answer)
		return
	}
	t, err := d.unrouted(r.URL, namespace)
	if err != nil {
		log.Print(err)
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	mesh.proxy(w, r, answer, t, nil)
}

// unrouted is what a URL leads to without any route: a Service by its name or address, or a pod by its address.
func (d *DataPlane) unrouted(u *url.URL, namespace string) (*target, error) {
	number := 80
	if u.Port() != "" {
		number, _ = strconv.Atoi(u.Port())
	}
	pods := d.Store.Pods()
	for _, pod := range pods {
		if pod.Status.PodIP == u.Hostname() {
			return &target{endpoints: []echo.Endpoint{{Pod: pod, Port: number}}}, nil
		}
	}
	parts := strings.Split(u.Hostname(), ".")
	if len(parts) > 1 {
		namespace = parts[1]
	}
	return d.target(fmt.Sprintf("Service/%s/%s:%d", namespace, parts[0], number))
}

// printed is an answer as the client prints it.
func printed(response *http.Response, body []byte) string {
	var seen struct {
		Pod, Method, Path, Host string
		Headers                 http.Header
	}
	if len(body) > 0 && json.Unmarshal(body, &seen) != nil {
		seen.Pod = ""
	}
	lines := []string{
		"StatusCode=" + strconv.Itoa(response.StatusCode), "Host=" + seen.Host, "Hostname=" + seen.Pod, "Method=" + seen.Method, "URL=" + seen.Path,
	}
	for name, values := range seen.Headers {
		for _, value := range values {
			lines = append(lines, "RequestHeader="+name+":"+value)
		}
	}
	for name, values := range response.Header {
		lines = append(lines, "ResponseHeader="+name+":"+strings.Join(values, ","))
	}
	slices.Sort(lines[5:])
	return strings.Join(lines, "\n") + "\n"
}
