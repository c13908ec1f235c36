package conformance

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	confv1 "sigs.k8s.io/gateway-api/conformance/apis/v1"
	"sigs.k8s.io/yaml"
)

// text is a report as it is committed: in a stable order, and without its date.
func text(t *testing.T, report *confv1.ConformanceReport) []byte {
	slices.SortFunc(report.ProfileReports, func(a, b confv1.ProfileReport) int { return cmp.Compare(a.Name, b.Name) })
	report.Date = ""
	out, err := yaml.Marshal(report)
	if err != nil {
		t.Fatal(err)
	}
	return []byte(strings.Replace(string(out), "date: \"\"\n", "", 1))
}

// line sums up the report on a profile.
func line(profile confv1.ProfileReport) string {
	out := fmt.Sprintf("%s: core %s", profile.Name, counts(profile.Core.Statistics))
	if profile.Extended != nil {
		out += "; extended " + counts(profile.Extended.Statistics)
	}
	return out
}

func counts(s confv1.Statistics) string {
	return fmt.Sprintf("%d passed, %d failed, %d skipped", s.Passed, s.Failed, s.Skipped)
}
