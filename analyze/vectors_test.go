package analyze_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze"
	"github.com/gwplan/gwplan/analyze/selection"
)

// vector is a small world of ours with the statuses that the own code of a controller wrote for it.
type vector struct {
	Name    string
	Objects []json.RawMessage
	// Want are the conditions, counts and kinds at each place: KIND/NAMESPACE/NAME, for a listener with
	// "listener NAME" behind it, for a parent or an ancestor with "parentRef" or "ancestorRef" and what it names.
	Want map[string]map[string]string
}

// The statuses of small worlds are those that controllers' own code wrote: Istio at 86c9f01f (2026-08-22), agentgateway at 75b4e6ce
// (2026-08-21), and Envoy Gateway v1.9.1, of which each world is one of internal/differential, made small. A condition that is not True is not written there if it only says that
// there is no conflict.
func TestControllerVectors(t *testing.T) {
	o := options(t, "[]")
	o.Complete = true
	for name, least := range map[string]int{"istio": 70, "agentgateway": 70, "envoygateway": 20} {
		data, err := os.ReadFile(filepath.Join("testdata", "vectors", name+".jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(bytes.NewReader(data))
		lines.Buffer(nil, 1<<20)
		n := 0
		for lines.Scan() {
			var v vector
			if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
				t.Fatal(err)
			}
			n++
			t.Run(name+"/"+v.Name, func(t *testing.T) {
				var texts []string
				for _, object := range v.Objects {
					texts = append(texts, string(object))
				}
				got := places(t, o, strings.Join(texts, "\n---\n"))
				for _, place := range slices.Sorted(maps.Keys(v.Want)) {
					for kind, want := range v.Want[place] {
						if got[place][kind] != want {
							t.Errorf("%s: %s is %q, want %q", place, kind, got[place][kind], want)
						}
					}
				}
			})
		}
		if n < least {
			t.Errorf("%s has %d vectors", name, n)
		}
	}
}

// places are the statuses of some manifests in the form of vectors.
func places(t *testing.T, o analyze.Options, manifests string) map[string]map[string]string {
	t.Helper()
	var items []struct {
		Kind     string
		Metadata struct{ Namespace, Name string }
		Status   struct {
			writtenStatus
			Parents, Ancestors []struct {
				writtenStatus
				ControllerName string
			}
		}
	}
	list := analyze.ListStatus(rendered(t, o, manifests), selection.Selection{}, o)
	if err := json.Unmarshal([]byte(jsonText(list.Items)), &items); err != nil {
		t.Fatal(err)
	}
	out := map[string]map[string]string{}
	for _, item := range items {
		namespace := item.Metadata.Namespace
		object := item.Kind + "/" + namespace + "/" + item.Metadata.Name
		out[object] = said(item.Status.Conditions)
		out[object]["attachedListenerSets"] = strconv.Itoa(item.Status.AttachedListenerSets)
		for _, l := range item.Status.Listeners {
			place := said(l.Conditions)
			place["attachedRoutes"] = strconv.Itoa(l.AttachedRoutes)
			var kinds []string
			for _, k := range l.SupportedKinds {
				kinds = append(kinds, k.Kind)
			}
			slices.Sort(kinds)
			if place["supportedKinds"] = strings.Join(kinds, ","); kinds == nil {
				place["supportedKinds"] = "none"
			}
			out[object+" listener "+l.Name] = place
		}
		for _, p := range item.Status.Parents {
			place := said(p.Conditions)
			place["controller"] = p.ControllerName
			out[object+" parentRef "+named(p.ParentRef, namespace)] = place
		}
		for _, p := range item.Status.Ancestors {
			place := said(p.Conditions)
			place["controller"] = p.ControllerName
			out[object+" ancestorRef "+named(p.AncestorRef, namespace)] = place
		}
	}
	return out
}

func said(conditions []caseCondition) map[string]string {
	out := map[string]string{}
	for _, c := range conditions {
		out[c.Type] = c.Status + "/" + c.Reason
	}
	return out
}

func named(r caseReference, namespace string) string {
	if r.Namespace == "" {
		r.Namespace = namespace
	}
	out := fmt.Sprintf("%s/%s/%s", r.Kind, r.Namespace, r.Name)
	if r.SectionName != "" {
		out += "#" + r.SectionName
	}
	if r.Port != 0 {
		out += fmt.Sprintf(":%d", r.Port)
	}
	return out
}
