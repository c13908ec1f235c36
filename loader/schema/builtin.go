package schema

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"github.com/gwplan/gwplan/loader"
)

// compactJSON is generated from the CRDs that the gateway-api module ships (Apache
// License 2.0, The Kubernetes Authors). It merges both channels; where they differ it takes
// the experimental one, which is larger. `go test ./loader/schema -update` regenerates it,
// and a test fails while it is stale.
//
//go:embed gateway-api.json
var compactJSON []byte

// compactFile is the form of that file.
type compactFile struct {
	// Module is the version of the module.
	Module string `json:"module"`
	// Kinds maps group/version/kind to an index of Nodes.
	Kinds map[string]int `json:"kinds"`
	// Nodes are unique. Each node follows the nodes that it refers to.
	Nodes []compactNode `json:"nodes"`
}

type compactNode struct {
	Text     bool            `json:"s,omitempty"`
	Nullable bool            `json:"n,omitempty"`
	Default  json.RawMessage `json:"d,omitempty"`
	Fields   map[string]int  `json:"p,omitempty"`
	Items    *int            `json:"i,omitempty"`
	Extra    *int            `json:"a,omitempty"`
	Open     bool            `json:"u,omitempty"`
	Checks   *checks         `json:"c,omitempty"`
}

// compact parses compactJSON at its first use, which takes two milliseconds. It cannot fail: the file
// is embedded, and a test parses it.
var compact = sync.OnceValue(func() (file compactFile) {
	if json.Unmarshal(compactJSON, &file) != nil {
		return compactFile{}
	}
	return file
})

// bundle is the version of Gateway API whose schemas are embedded.
func bundle() string { return compact().Module }

// embedded are the embedded schemas.
var embedded = sync.OnceValue(func() map[key]*node {
	kinds, err := readCompact(compact())
	if err != nil {
		return nil
	}
	return kinds
})

func readCompact(file compactFile) (map[key]*node, error) {
	nodes := make([]*node, 0, len(file.Nodes))
	at := func(i *int) *node {
		if i == nil {
			return nil
		}
		return nodes[*i]
	}
	for _, c := range file.Nodes {
		n := &node{text: c.Text, nullable: c.Nullable, items: at(c.Items), extra: at(c.Extra), open: c.Open, checks: c.Checks}
		if c.Default != nil {
			value, err := fromJSON(c.Default)
			if err != nil {
				return nil, err
			}
			n.value = value
		}
		for name, i := range c.Fields {
			n.fields = append(n.fields, field{name, nodes[i]})
		}
		n.sort()
		nodes = append(nodes, n)
	}
	kinds := make(map[key]*node, len(file.Kinds))
	for name, i := range file.Kinds {
		part := strings.SplitN(name, "/", 3)
		kinds[key{part[0], part[1], part[2]}] = object(nodes[i])
	}
	return kinds, nil
}

// builtin returns the schema of a Gateway API or core kind. All served versions of a Gateway
// API kind have the same shape, so the schema of another version is used for one that is no
// longer shipped. XListenerSet became ListenerSet. Other kinds have metadata only.
func builtin(k key) *node {
	kinds := embedded()
	if n := kinds[k]; n != nil {
		return n
	}
	if k.group == "gateway.networking.x-k8s.io" && k.kind == "XListenerSet" {
		k = key{"gateway.networking.k8s.io", "v1", "ListenerSet"}
	}
	for _, version := range []string{"v1", "v1beta1", "v1alpha3", "v1alpha2", "v1alpha1"} {
		if n := kinds[key{k.group, version, k.kind}]; n != nil {
			return n
		}
	}
	if k.group == "" && k.kind == "Service" {
		return service()
	}
	return object(&node{})
}

// service returns the relevant part of the core/v1 Service schema (kubernetes,
// pkg/apis/core/v1/defaults.go, SetDefaults_Service).
func service() *node {
	tcp := &loader.Value{Shape: loader.String, Text: "TCP"}
	port := &node{fields: []field{{"protocol", &node{text: true, value: tcp}}}}
	spec := &node{fields: []field{
		{"ports", &node{items: port}},
		{"selector", &node{extra: &node{text: true}}},
	}}
	return object(&node{fields: []field{{"spec", spec}}})
}

func fromJSON(data []byte) (*loader.Value, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	return toValue(v), nil
}

func toValue(v any) *loader.Value {
	switch v := v.(type) {
	case string:
		return &loader.Value{Shape: loader.String, Text: v}
	case json.Number:
		if strings.ContainsAny(v.String(), ".eE") {
			return &loader.Value{Shape: loader.Float, Text: v.String()}
		}
		return &loader.Value{Shape: loader.Int, Text: v.String()}
	case bool:
		if v {
			return &loader.Value{Shape: loader.Bool, Text: "true"}
		}
		return &loader.Value{Shape: loader.Bool, Text: "false"}
	case []any:
		out := &loader.Value{Shape: loader.List}
		for _, item := range v {
			out.Items = append(out.Items, toValue(item))
		}
		return out
	case map[string]any:
		out := &loader.Value{Shape: loader.Map}
		for name, value := range v {
			out.Fields = append(out.Fields, loader.Field{Key: name, Value: toValue(value)})
		}
		slices.SortFunc(out.Fields, func(a, b loader.Field) int { return strings.Compare(a.Key, b.Key) })
		return out
	}
	return &loader.Value{}
}
