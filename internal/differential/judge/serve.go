// Package judge is what the judges share: one for each controller, each a module of its own, because no two
// controllers agree on the versions of what they need. A judge reads worlds as lines of JSON, gives each to an API
// server and what that keeps to the controller's own code, and writes the statuses that come out.
package judge

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	integers "k8s.io/apimachinery/pkg/util/json"
)

// World is what a cluster holds: a line of the input.
type World struct {
	Name    string           `json:"name"`
	Objects []map[string]any `json:"objects"`
}

// Answer is what becomes of a world: a line of the output.
type Answer struct {
	Name string `json:"name"`
	// Refused has what the API server says of each object that it refuses, by KIND/NAMESPACE/NAME.
	Refused map[string]string `json:"refused,omitempty"`
	// Statuses are those that the controller writes.
	Statuses []Status `json:"statuses,omitempty"`
	// Error says why there is no answer: the controller's code failed, or panicked.
	Error string `json:"error,omitempty"`
}

// Status is the status of one object.
type Status struct {
	APIVersion string   `json:"apiVersion"`
	Kind       string   `json:"kind"`
	Metadata   Metadata `json:"metadata"`
	Status     any      `json:"status"`
}

// Metadata names an object.
type Metadata struct {
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
}

// Controller gives the statuses that a controller writes of the objects that the API server keeps. It starts from
// nothing each time.
type Controller func(objects []*unstructured.Unstructured) ([]Status, error)

// Serve answers the worlds on in, one line each, until in ends.
func Serve(in io.Reader, out io.Writer, server *APIServer, decide Controller) error {
	lines := bufio.NewReader(in)
	answers := json.NewEncoder(out)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			var world World
			// Where the API server reads an integer, CEL takes no float.
			if err := integers.Unmarshal(line, &world); err != nil {
				return fmt.Errorf("read a world: %w", err)
			}
			if err := answers.Encode(answer(world, server, decide)); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// Main is the main function of a judge.
func Main(server *APIServer, decide Controller) {
	if err := Serve(os.Stdin, os.Stdout, server, decide); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func answer(world World, server *APIServer, decide Controller) (a Answer) {
	defer func() {
		if r := recover(); r != nil {
			a = Answer{Name: world.Name, Error: fmt.Sprintf("panic: %v\n%s", r, debug.Stack())}
		}
	}()
	a = Answer{Name: world.Name, Refused: map[string]string{}}
	var kept []*unstructured.Unstructured
	for _, object := range world.Objects {
		o := &unstructured.Unstructured{Object: object}
		if err := server.Admit(o); err != nil {
			a.Refused[o.GetKind()+"/"+o.GetNamespace()+"/"+o.GetName()] = err.Error()
			continue
		}
		kept = append(kept, o)
	}
	statuses, err := decide(kept)
	if err != nil {
		return Answer{Name: world.Name, Error: err.Error()}
	}
	a.Statuses = statuses
	return a
}
