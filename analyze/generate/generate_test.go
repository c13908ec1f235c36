package generate_test

import (
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze/age"
	"github.com/gwplan/gwplan/analyze/generate"
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
)

func environment(t *testing.T, text string) *loader.Environment {
	t.Helper()
	file := manifest.Decode([]byte(text), manifest.Options{})
	if len(file.Problems) > 0 {
		t.Fatal(file.Problems)
	}
	env := &loader.Environment{}
	for _, d := range file.Documents {
		env.Objects = append(env.Objects, &loader.Object{
			ID: loader.ID{Group: d.Group, Kind: d.Kind, Namespace: d.Namespace, Name: d.Name}, Version: d.Version, Root: d.Root, Files: []string{"x.yaml"},
		})
	}
	return env
}

func find(env *loader.Environment, kind string) *loader.Object {
	for _, o := range env.Objects {
		if o.ID.Kind == kind {
			return o
		}
	}
	return nil
}

const oidc = `
apiVersion: extensions.kuadrant.io/v1alpha1
kind: OIDCPolicy
metadata: {name: login, namespace: shop}
spec:
  targetRef: {group: gateway.networking.k8s.io, kind: HTTPRoute, name: pay}
  provider: {issuerURL: https://id.example.com, clientID: shop}
`

// An OIDCPolicy makes an AuthPolicy of its name, which belongs to it and has its places.
func TestWith(t *testing.T) {
	env := environment(t, oidc)
	got := find(generate.With(env), "AuthPolicy")
	if got == nil {
		t.Fatal("nothing is made")
	}
	if want := env.Objects[0].ID; got.GeneratedBy != want || got.ID.Name != "login" || got.ID.Namespace != "shop" {
		t.Errorf("made %v by %v", got.ID, got.GeneratedBy)
	}
	if at := got.Position(got.Spec().Get("targetRef")); at.File != "x.yaml" || at.Line != 6 {
		t.Errorf("its target stands at %s", at)
	}
	if len(env.Objects) != 1 {
		t.Error("the environment itself is changed")
	}
}

// One of the same identity is overwritten, as the controller does.
func TestWithOverwrites(t *testing.T) {
	env := environment(t, oidc+`---
apiVersion: kuadrant.io/v1
kind: AuthPolicy
metadata: {name: login, namespace: shop}
spec: {mine: true}
`)
	out := generate.With(env)
	if got := find(out, "AuthPolicy"); got == nil || got.Spec().Get("mine") != nil || len(out.Objects) != 2 {
		t.Errorf("%d objects, the AuthPolicy is %v", len(out.Objects), got)
	}
}

// Where nothing is made the environment is the same one.
func TestWithNothing(t *testing.T) {
	env := environment(t, "apiVersion: v1\nkind: Service\nmetadata: {name: a, namespace: b}\n")
	if generate.With(env) != env {
		t.Error("an environment of which nothing is made is copied")
	}
}

// What is made is as old as what it is made of, also where only the annotation says how old
// that is.
func TestWithAge(t *testing.T) {
	const stated = `metadata: {name: login, namespace: shop, annotations: {gwplan.dev/created-at: "2024-01-01T00:00:00Z"}}`
	env := environment(t, strings.Replace(oidc, "metadata: {name: login, namespace: shop}", stated, 1))
	made := find(generate.With(env), "AuthPolicy")
	if made == nil {
		t.Fatal("nothing is made")
	}
	if got, want := made.Annotations()[age.CreatedAt], env.Objects[0].Annotations()[age.CreatedAt]; got != want || want == "" {
		t.Errorf("got %q, want %q", got, want)
	}
}
