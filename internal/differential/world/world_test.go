package world

import (
	"encoding/json"
	"testing"
)

func text(t *testing.T, objects []Object) string {
	t.Helper()
	data, err := json.Marshal(objects)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// A seed gives the same world each time, and each seed another one.
func TestSeedsAreWorlds(t *testing.T) {
	for name, dialect := range map[string]Dialect{"envoygateway": EnvoyGateway, "istio": Istio, "agentgateway": Agentgateway, "nginx": Nginx} {
		seen := map[string]uint64{}
		for seed := range uint64(50) {
			one := text(t, New(seed, dialect))
			if one != text(t, New(seed, dialect)) {
				t.Errorf("%s: seed %d gives two worlds", name, seed)
			}
			if other, double := seen[one]; double {
				t.Errorf("%s: seeds %d and %d give one world", name, other, seed)
			}
			seen[one] = seed
		}
	}
}

// An object is named once in a world.
func TestNamesAreUnique(t *testing.T) {
	for seed := range uint64(50) {
		seen := map[string]bool{}
		for _, o := range New(seed, EnvoyGateway) {
			id := o.Kind() + "/" + o.Namespace() + "/" + o.Name()
			if seen[id] {
				t.Errorf("seed %d has %s twice", seed, id)
			}
			seen[id] = true
		}
	}
}

// Less takes one field or item, and leaves the object as it is.
func TestLess(t *testing.T) {
	o := Object{"kind": "Gateway", "apiVersion": "v1", "metadata": fields{"name": "gw"}, "spec": fields{"listeners": list{fields{"name": "a"}, fields{"name": "b"}}}}
	before := text(t, []Object{o})
	var got []string
	for _, less := range o.Less() {
		data, err := json.Marshal(less["spec"])
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, string(data))
	}
	want := []string{"null", "{}", `{"listeners":[{"name":"b"}]}`, `{"listeners":[{"name":"a"}]}`, `{"listeners":[{},{"name":"b"}]}`, `{"listeners":[{"name":"a"},{}]}`}
	if text(t, []Object{o}) != before {
		t.Error("the object has changed")
	}
	if len(got) != len(want) {
		t.Fatalf("got %q, want %q", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%d: got %s, want %s", i, got[i], want[i])
		}
	}
}
