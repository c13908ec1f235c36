package rule

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze/network"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// Workloads are one group if namespace, direction and causes are the same, and each is known by its present name.
func TestTogether(t *testing.T) {
	in := func(namespace, name string, more func(*exposure)) exposure {
		e := exposure{network.Exposure{Workload: loader.ID{Kind: "Deployment", Namespace: namespace, Name: name}, Name: name}, []plan.Cause{{File: "np.yaml"}}}
		if more != nil {
			more(&e)
		}
		return e
	}
	groups := together([]exposure{
		in("shop", "a", nil), in("web", "b", nil), in("shop", "c", nil),
		in("shop", "egress", func(e *exposure) { e.Direction = network.Egress }),
		in("shop", "renamed", func(e *exposure) { e.Formerly = "former" }),
		in("shop", "other edit", func(e *exposure) { e.causes = nil }),
		in("", "pods", func(e *exposure) { e.Workload = loader.ID{} }), in("", "more pods", func(e *exposure) { e.Workload = loader.ID{} }),
		in("shop", "d", nil),
	})
	var got []string
	for _, group := range groups {
		got = append(got, strings.Join(namesOf(group), "+"))
	}
	want := []string{"a+c+d", "b", "egress", "renamed", "other edit", "pods", "more pods"}
	if !slices.Equal(got, want) {
		t.Errorf("got %s\nwant %s", fmt.Sprint(got), fmt.Sprint(want))
	}
}
