// Package planner asks gwplan what a controller would make of the objects of a cluster.
package planner

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/json"

	"github.com/gwplan/gwplan/internal/conformance/cluster"
)

// Planner runs gwplan on what a store holds. As the answers depend on nothing else they are kept until its manifest
// changes, which no .status does.
type Planner struct {
	// Program is the path of gwplan.
	Program string
	Store   *cluster.Store

	mu       sync.Mutex
	version  int64
	manifest []byte
	lower    []byte // the manifest in lower case
	runs     map[string]*run
}

// run is one run of gwplan, which many may wait for, and what was read from its output.
type run struct {
	once   sync.Once
	result any
	err    error
}

// refresh forgets what is known of another manifest.
func (p *Planner) refresh() {
	if p.runs != nil && p.version == p.Store.Version() {
		return
	}
	before := p.manifest
	p.manifest, p.version = p.Store.Manifest()
	if p.runs == nil || !bytes.Equal(before, p.manifest) {
		p.lower, p.runs = bytes.ToLower(p.manifest), map[string]*run{}
	}
}

// ask returns what a function reads from what gwplan prints for arguments. Many get the same result, and so nobody may
// change it.
func (p *Planner) ask(read func(output []byte) (any, error), args ...string) (any, error) {
	p.mu.Lock()
	p.refresh()
	manifest := p.manifest
	key := strings.Join(args, "\x00")
	r := p.runs[key]
	if r == nil {
		r = &run{}
		p.runs[key] = r
	}
	p.mu.Unlock()
	r.once.Do(func() {
		var output []byte
		if output, r.err = p.output(manifest, args); r.err == nil {
			r.result, r.err = read(output)
		}
		if r.err != nil {
			r.err = fmt.Errorf("gwplan %s: %w", strings.Join(args, " "), r.err)
		}
	})
	return r.result, r.err
}

// output runs gwplan on a manifest.
func (p *Planner) output(manifest []byte, args []string) ([]byte, error) {
	args = append(slices.Clone(args), "-f", "-", "--complete", "--no-config", "--no-cache", "-o", "json")
	cmd := exec.Command(p.Program, args...)
	cmd.Stdin = bytes.NewReader(manifest)
	output, err := cmd.Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		if len(output) == 0 {
			return nil, fmt.Errorf("%w: %s", err, failed.Stderr)
		}
		err = nil // the exit status is about the verdict
	}
	return output, err
}

// mentions reports whether the manifests contain a text, in any case.
func (p *Planner) mentions(text string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refresh()
	return bytes.Contains(p.lower, []byte(strings.ToLower(text)))
}

// Statuses returns the .status of each object that gwplan gives one. Nobody may change them.
func (p *Planner) Statuses() (map[cluster.Key]map[string]any, error) {
	result, err := p.ask(statuses, "status")
	if err != nil {
		return nil, err
	}
	return result.(map[cluster.Key]map[string]any), nil
}

func statuses(output []byte) (any, error) {
	var list struct {
		Items []map[string]any `json:"items"`
	}
	if err := json.Unmarshal(output, &list); err != nil {
		return nil, err
	}
	out := map[cluster.Key]map[string]any{}
	for _, item := range list.Items {
		if status, ok := item["status"].(map[string]any); ok {
			out[cluster.KeyOf(&unstructured.Unstructured{Object: item})] = status
		}
	}
	return out, nil
}
