// Package config reads .gwplan.yaml: what users know of their clusters and no
// manifest says. It is strict, because a key that is silently left out changes
// what a plan means: every mistake has its place and says what to do.
//
// It decides nothing about policy kinds: their entries are held against the
// schema of the file and handed on as they are written.
package config

import (
	"bytes"
	"fmt"
	"strconv"
	"time"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
)

// Config is what one file says; the zero value is that of an empty one.
type Config struct {
	File         string
	Environments []Environment
	// Kinds are catalogue entries as written.
	Kinds []map[string]any
	// Complete says that what is not in the input does not exist.
	Complete bool
	// Ages are creation times of objects.
	Ages map[loader.ID]time.Time
	// Namespaces are the labels of Namespaces by name.
	Namespaces map[string]map[string]string
	// Controllers are controllerNames by GatewayClass, for classes that no manifest
	// declares or that behave as another's.
	Controllers map[string]string
	// Roots are the root namespaces of systems that have one, by the system's word in
	// the ids of the catalogue, such as istio.
	Roots map[string]string
	// External are objects that exist and live elsewhere.
	External []loader.ID
	// Rules are severities by rule id: error, warning, note or off.
	Rules  map[string]string
	Ignore []Ignore

	root *loader.Value
	text *text
}

// Environment names an environment and what it is made of. Paths are slash
// paths or globs, clean and relative to the root of the repository.
type Environment struct {
	Name  string
	Paths []string
	// ArgoCD is the destination of Applications that make up the environment, in
	// place of paths.
	ArgoCD   string
	Position loader.Position
}

// Ignore silences findings.
type Ignore struct {
	// Rule is a rule id, or * for every rule. Target is a doublestar glob over
	// nodes; empty means any.
	Rule, Target string
	Reason       string
	// Expires is the last day on which the findings are ignored, or zero.
	Expires  time.Time
	Position loader.Position
}

// Expired says whether the day given is over, in UTC.
func (i Ignore) Expired(now time.Time) bool {
	return !i.Expires.IsZero() && !now.Before(i.Expires.AddDate(0, 0, 1))
}

// Position is the place of what stands at a path of keys and indexes, such as
// "rules", "unattached-policy" or "kinds", "3": of its key, else of itself. Where
// there is nothing it is the place of the nearest value above.
func (c *Config) Position(path ...string) loader.Position {
	v, at := c.root, loader.Position{File: c.File, Line: 1, Column: 1}
	for _, step := range path {
		if i, err := strconv.Atoi(step); err == nil && v != nil && v.Shape == loader.List {
			if i < 0 || i >= len(v.Items) {
				return at
			}
			v = v.Items[i]
			at = c.text.position(v)
			continue
		}
		f := field(v, step)
		if f == nil {
			return at
		}
		v, at = f.Value, c.text.key(*f)
	}
	return at
}

// Limits of one file: a person writes it.
const (
	maxBytes      = 1 << 20
	maxDepth      = 50
	maxAliasNodes = 10_000
)

// Parse reads a file. The error is of type Errors and holds every mistake.
func Parse(file string, data []byte) (*Config, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	r := &reader{
		text:   &text{file: file, data: data},
		config: &Config{File: file},
		names:  map[string]int{},
	}
	r.config.text = r.text
	if root := r.document(data); root != nil {
		top, err := shapes()
		if err != nil {
			return nil, err
		}
		r.config.root = root
		r.hold(root, top, place{at: r.text.position(root)})
		r.read(root)
	}
	if err := r.mistakes.err(); err != nil {
		return nil, err
	}
	return r.config, nil
}

// document is the one document of the file, or nil where there is none.
func (r *reader) document(data []byte) *loader.Value {
	start := loader.Position{File: r.text.file, Line: 1, Column: 1}
	if len(data) > maxBytes {
		r.mistake(start, fmt.Sprintf("the file holds %d bytes, over the limit of %d", len(data), maxBytes), "shorten it")
		return nil
	}
	roots, problems := manifest.Parse(data, manifest.Limits{Depth: maxDepth, AliasNodes: maxAliasNodes})
	for _, p := range problems {
		p.Position.File = r.text.file
		r.mistake(p.Position, p.Message, p.Hint)
	}
	if len(roots) > 1 {
		r.mistake(r.text.position(roots[1]), "the file holds a second document", "put everything into one")
	}
	if len(problems) > 0 || len(roots) != 1 {
		return nil
	}
	return roots[0]
}
