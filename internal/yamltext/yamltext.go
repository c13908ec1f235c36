// Package yamltext decodes untrusted YAML, such as values of charts and texts within manifests, as Kubernetes
// and Helm decode it.
package yamltext

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"sigs.k8s.io/yaml"
	goyaml "sigs.k8s.io/yaml/goyaml.v3"
)

// MaxBytes is how long a text may be once its aliases are written out. The decoder writes them out in
// JSON and again in the result, so that a text of 1 MB can take gigabytes.
const MaxBytes = 16 << 20

// ErrTooLong is returned for a text that its aliases make too long.
var ErrTooLong = fmt.Errorf("the YAML has more than %d bytes once its aliases are written out", MaxBytes)

// Unmarshal decodes the first document of a text, as sigs.k8s.io/yaml does, unless its aliases make it longer
// than MaxBytes.
func Unmarshal(data []byte, into any) error {
	if err := Bounded(data); err != nil {
		return err
	}
	return yaml.Unmarshal(data, into) //nolint:forbidigo // bounded
}

// Bounded returns ErrTooLong for a text that its aliases make longer than MaxBytes, and an error for one with aliases
// whose first document cannot be decoded.
func Bounded(data []byte) error {
	if !bytes.Contains(data, []byte("*")) || !bytes.Contains(data, []byte("&")) {
		return nil
	}
	documents := goyaml.NewDecoder(bytes.NewReader(data))
	for first, total := true, 0; ; first = false {
		var document goyaml.Node
		err := documents.Decode(&document)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil && first:
			return err
		case err != nil:
			return nil // who decodes the first document alone does not meet the error
		}
		if total += length(&document, map[*goyaml.Node]int{}); total > MaxBytes {
			return ErrTooLong
		}
	}
}

// length is the number of bytes of a node without aliases, at most one more than MaxBytes. An anchor that contains
// itself counts as none there; the decoder refuses it.
func length(node *goyaml.Node, known map[*goyaml.Node]int) int {
	if node.Kind == goyaml.AliasNode {
		node = node.Alias
	}
	if n, ok := known[node]; ok {
		return n
	}
	if node.Anchor != "" {
		known[node] = 0
	}
	n := len(node.Value) + 1
	for _, below := range node.Content {
		n = min(n+length(below, known), MaxBytes+1)
	}
	if node.Anchor != "" {
		known[node] = n
	}
	return n
}
