// Package config reads .gwplan.yaml: facts about the user's clusters that no manifest
// contains. It is strict, because a silently ignored key changes the meaning of a plan.
// Every mistake is reported with its position and a hint how to correct it.
//
// It does not interpret policy kinds: it checks their entries against the schema of the
// file and passes them on as written.
package config

import (
	"bytes"
	"fmt"
	"strconv"
	"time"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
)

// Config is the content of one file. The zero value corresponds to an empty file.
type Config struct {
	File         string
	Environments []Environment
	// Kinds are catalogue entries as written.
	Kinds []map[string]any
	// Complete means that an object which is not in the input does not exist.
	Complete bool
	// Ages are creation times of objects.
	Ages map[loader.ID]time.Time
	// Namespaces are the labels of Namespaces by name.
	Namespaces map[string]map[string]string
	// Controllers maps GatewayClass names to controllerNames, for classes that no manifest
	// declares or that behave like those of another controller.
	Controllers map[string]string
	// Versions maps controllers, by the names of --controller, to the releases that run, for those
	// that the repository does not install.
	Versions map[string]string
	// Roots maps systems that have a root namespace to it. The key is the system's prefix
	// in the ids of the catalogue, such as istio.
	Roots map[string]string
	// Owners maps hostnames to the Namespaces whose routes may serve them. A wildcard is for the names
	// below it that have no entry of their own.
	Owners map[string][]string
	// External are objects that exist but are not in the input.
	External []loader.ID
	// Rules are severities by rule id: error, warning, note or off.
	Rules  map[string]string
	Ignore []Ignore

	root *loader.Value
	text *text
	// absent means that the file was deleted, broken is why it cannot be used.
	absent bool
	broken error
}

// Deleted returns what is left of a configuration if its file is deleted.
func (c *Config) Deleted() *Config { return &Config{File: c.File, absent: true} }

// Unreadable returns a configuration for a file that cannot be used, with why.
func Unreadable(file string, why error) *Config { return &Config{File: file, broken: why} }

// IsAbsent reports whether the configuration represents a file that was deleted.
func (c *Config) IsAbsent() bool { return c.absent }

// Broken returns why the file that the configuration represents cannot be used, or nil.
func (c *Config) Broken() error { return c.broken }

// Environment names an environment and its sources. Paths are slash paths or globs,
// cleaned and relative to the root of the repository.
type Environment struct {
	Name  string
	Paths []string
	// ArgoCD is a destination cluster: the environment consists of the Applications that
	// deploy to it. It replaces Paths.
	ArgoCD   string
	Position loader.Position
}

// Ignore silences findings.
type Ignore struct {
	// Rule is a rule id, or * for every rule. Target is a doublestar glob that is matched
	// against nodes; empty matches any.
	Rule, Target string
	Reason       string
	// Expires is the last day on which the findings are ignored; zero means no end.
	Expires  time.Time
	Position loader.Position
}

// Expired reports whether the Expires day, if any, is over in UTC.
func (i Ignore) Expired(now time.Time) bool {
	return !i.Expires.IsZero() && !now.Before(i.Expires.AddDate(0, 0, 1))
}

// Position returns the position of the value at a path of keys and indexes, such as
// "rules", "unattached-policy" or "kinds", "3". For a map entry it is the position of its
// key. Where the path does not exist it is the position of the nearest existing parent.
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

// Limits of one file, which is written by hand.
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

// document returns the only document of the file, or nil if the file has none or is not valid.
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
