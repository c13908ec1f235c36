package manifest

import (
	"cmp"
	"crypto/sha1" //nolint:gosec // the length of its sums
	"encoding/base64"
	"encoding/hex"
	"encoding/pem"
	"fmt"
	"slices"
	"strings"
	"unique"

	"github.com/gwplan/gwplan/loader"
)

// newKind splits an apiVersion into group and version. The core group is empty.
func newKind(apiVersion, name string) *kind {
	group, _, found := strings.Cut(apiVersion, "/")
	if !found {
		return &kind{key: name, name: name}
	}
	key := group + "/" + name
	return &kind{key: key, group: key[:len(group)], name: key[len(group)+1:]}
}

// object handles a decoded value that may be a manifest, a list of manifests, or something else,
// which it ignores.
func (r *reader) object(t tree, text []byte, root *loader.Value) {
	apiVersion, name := root.Str("apiVersion"), root.Str("kind")
	if apiVersion == "" || name == "" {
		if p := HalfNamed(root); p != nil {
			r.file.Manifest = true
			r.problem(*p)
		}
		if r.file.Stray == 0 && !root.IsNull() {
			r.file.Stray = int(root.Mark.Line)
		}
		return
	}
	// What has items is a list, whatever its kind is called (apimachinery, unstructured.IsList, by which deployers take lists apart).
	if items := root.Get("items"); items != nil && items.Shape == loader.List {
		for _, item := range items.Items {
			r.object(t, text, inList(root, item))
		}
		return
	}
	k := r.kind([]byte(apiVersion), []byte(name))
	if r.leaveOut(k, text) {
		return
	}
	if k.relevance == Undecided && r.opts.Keeps != nil && !r.opts.Keeps(root) {
		r.count(k)
		return
	}
	_, version, found := strings.Cut(apiVersion, "/")
	if !found {
		version = apiVersion
	}
	d := Document{
		Group: intern(k.group), Version: intern(version), Kind: intern(k.name),
		Namespace: intern(root.Str("metadata", "namespace")), Name: root.Str("metadata", "name"),
		Root: root, Line: int(root.Mark.Line), Origin: cmp.Or(originAnnotation(root), r.origin),
	}
	if p := checkName(&d); p != nil {
		r.problem(*p)
		return
	}
	if t.encrypted || isSOPS(root) {
		p, readable := decrypted(&d)
		r.problem(p)
		if !readable {
			return
		}
	}
	if d.Group == "" && d.Kind == "Secret" {
		d.Root = withoutBody(d.Root)
	}
	r.file.Documents = append(r.file.Documents, d)
}

// intern shares strings that many documents have in common.
func intern(s string) string { return unique.Make(s).Value() }

// inList adds to an item of a typed list the kind and apiVersion that the list implies
// (apimachinery, unstructuredJSONScheme.decodeToList).
func inList(list, item *loader.Value) *loader.Value {
	name := strings.TrimSuffix(list.Str("kind"), "List")
	if item.Shape != loader.Map || name == "" || item.Get("kind") != nil {
		return item
	}
	implied := *item
	implied.Fields = nil
	if item.Get("apiVersion") == nil {
		implied.Fields = append(implied.Fields, loader.Field{Key: "apiVersion", Value: list.Get("apiVersion")})
	}
	kind := &loader.Value{Shape: loader.String, Text: name, Mark: list.Get("kind").Mark}
	implied.Fields = append(append(implied.Fields, loader.Field{Key: "kind", Value: kind}), item.Fields...)
	return &implied
}

// checkName returns a problem for an object with neither name nor generateName, or whose name or namespace is no text: the API
// server takes neither `123` nor `no`, which YAML reads as a boolean.
func checkName(d *Document) *loader.Problem {
	metadata := d.Root.Get("metadata")
	if namespace := metadata.Get("namespace"); d.Namespace == "" && !namespace.IsEmpty() {
		p := problem("bad-namespace", markOf(namespace), fmt.Sprintf("the namespace of the %s is not a string", d.Kind), "quote it")
		return &p
	}
	if d.Name != "" {
		return nil
	}
	at, message := d.Root, fmt.Sprintf("the %s has no metadata.name", d.Kind)
	hint := "add metadata.name, or exclude the file if it is not a manifest"
	if metadata != nil {
		at = metadata
	}
	if name := metadata.Get("name"); !name.IsEmpty() {
		at, message, hint = name, fmt.Sprintf("the name of the %s is not a string", d.Kind), "quote it"
	} else if metadata.Str("generateName") != "" {
		return nil
	}
	p := problem("missing-name", markOf(at), message, hint)
	return &p
}

// isSOPS detects a document encrypted by SOPS by its metadata block sops.
func isSOPS(root *loader.Value) bool {
	sops := root.Get("sops")
	return sops.Get("mac") != nil || sops.Get("version") != nil
}

// decrypted prepares an encrypted document, which is readable unless its identity is encrypted.
// Other encrypted values are opaque. A Secret only gets a note: its values are not read anyway.
func decrypted(d *Document) (p loader.Problem, readable bool) {
	at := d.Root
	if sops := d.Root.Get("sops"); sops != nil {
		at = sops
	}
	p = problem("sops", markOf(at), fmt.Sprintf("the %s is encrypted with SOPS, its encrypted values are unknown", d.Kind), "")
	p.Severity = loader.Warning
	if d.Name == loader.Encrypted || d.Namespace == loader.Encrypted {
		p.Message = fmt.Sprintf("the %s is encrypted with SOPS, including its metadata, so gwplan cannot identify it", d.Kind)
		p.Hint = "do not encrypt metadata: set encrypted_regex in .sops.yaml"
		return p, false
	}
	if d.Group == "" && d.Kind == "Secret" {
		p.Severity = loader.Note
	}
	d.Root = without(d.Root, "sops")
	return p, true
}

// lastApplied holds the whole object as kubectl applied it.
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// withoutBody removes the secret values of a Secret.
func withoutBody(root *loader.Value) *loader.Value {
	root = without(root, loader.SealedKey) // nobody else may write it
	sealed := Sealed(root)
	for _, key := range []string{"data", "stringData"} {
		if body := root.Get(key); body != nil {
			kept := KeysOnly(body)
			for i, f := range body.FieldList() {
				kept.Fields[i].Value.Text = keep(f.Key, f.Value.Text, key == "data")
			}
			erase(body)
			root = replace(root, key, kept)
		}
	}
	if sealed != nil {
		out := *root
		out.Fields = append(slices.Clone(root.Fields), loader.Field{Key: loader.SealedKey, Value: sealed})
		root = &out
	}
	annotations := root.Get("metadata", "annotations")
	applied := annotations.Get(lastApplied)
	if applied == nil {
		return root
	}
	erase(applied)
	metadata := replace(root.Get("metadata"), "annotations", without(annotations, lastApplied))
	return replace(root, "metadata", metadata)
}

// Sealed returns the digest of the body of a Secret, nil if it has none. Of a body that was removed before it is the one
// that was taken then.
func Sealed(root *loader.Value) *loader.Value {
	if known := root.Get(loader.SealedKey); known != nil && isRemoved(root) {
		return known
	}
	body := &loader.Value{Shape: loader.List, Items: []*loader.Value{root.Get("data"), root.Get("stringData")}}
	if body.Items[0] == nil && body.Items[1] == nil {
		return nil
	}
	return Seal(body)
}

// Seal returns the value for loader.SealedKey that stands for what is hidden.
func Seal(hidden *loader.Value) *loader.Value {
	digest := loader.Digest(loader.ID{}, hidden)
	return &loader.Value{Shape: loader.String, Opaque: true, Text: hex.EncodeToString(digest[:])}
}

// isRemoved reports whether the entries of a Secret are those that KeysOnly leaves.
func isRemoved(root *loader.Value) bool {
	for _, key := range []string{"data", "stringData"} {
		for _, f := range root.Get(key).FieldList() {
			if !f.Value.Opaque || f.Value.Text != "" && !loader.IsKept(f.Value.Text) {
				return false
			}
		}
	}
	return true
}

// KeysOnly returns the part of a Secret's body that is kept: the names of its entries, which define
// the variables it sets, without their values.
func KeysOnly(body *loader.Value) *loader.Value {
	out := &loader.Value{Shape: loader.Map, Mark: body.Mark}
	for _, f := range body.FieldList() {
		value := &loader.Value{Shape: loader.String, Opaque: true, Mark: f.Value.Mark}
		if f.Value.Opaque && loader.IsKept(f.Value.Text) {
			value.Text = f.Value.Text // the body was removed before
		}
		out.Fields = append(out.Fields, loader.Field{Key: f.Key, Value: value})
	}
	return out
}

// keep says what is kept of an entry of a Secret: of one that should hold certificates or users whether it does, and nothing of any
// other, or of one that something fills in later.
func keep(key, text string, encoded bool) string {
	judge := map[string]func(string) string{"tls.crt": certificate, "ca.crt": certificate, ".htpasswd": users}[key]
	if judge == nil || loader.Placeholder(text) || strings.HasPrefix(text, "ENC[") {
		return ""
	}
	if encoded {
		decoded, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(text), ""))
		if err != nil {
			return judge("")
		}
		text = string(decoded)
	}
	return judge(text)
}

func certificate(text string) string {
	if block, _ := pem.Decode([]byte(text)); block == nil {
		return loader.NoCertificate
	}
	return loader.SomeCertificate
}

// users says whether a file of htpasswd has the only hash that Envoy compares, for each of its users.
func users(text string) string {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		_, password, _ := strings.Cut(line, ":")
		hash, hashed := strings.CutPrefix(password, "{SHA}")
		if sum, err := base64.StdEncoding.DecodeString(hash); !hashed || err != nil || len(sum) != sha1.Size {
			return loader.OtherUsers
		}
	}
	return loader.HashedUsers
}

// erase clears the texts of a value, because all values of one slab stay in memory together.
func erase(v *loader.Value) {
	if v == nil {
		return
	}
	v.Text = ""
	for _, f := range v.Fields {
		erase(f.Value)
	}
	for _, item := range v.Items {
		erase(item)
	}
}

func without(v *loader.Value, key string) *loader.Value {
	if v.Get(key) == nil {
		return v
	}
	out := *v
	out.Fields = make([]loader.Field, 0, len(v.Fields)-1)
	for _, f := range v.Fields {
		if f.Key != key {
			out.Fields = append(out.Fields, f)
		}
	}
	return &out
}

func replace(v *loader.Value, key string, with *loader.Value) *loader.Value {
	out := *v
	out.Fields = append([]loader.Field(nil), v.Fields...)
	for i := range out.Fields {
		if out.Fields[i].Key == key {
			out.Fields[i].Value = with
		}
	}
	return &out
}
