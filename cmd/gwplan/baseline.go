package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/rule"
	"github.com/gwplan/gwplan/report"
	"github.com/gwplan/gwplan/report/outline"
)

// maxBaseline limits the bytes of a baseline.
const maxBaseline = 64 << 20

// readBaseline reads what --write-baseline wrote, or another JSON of gwplan check.
func readBaseline(file string) (*rule.Baseline, error) {
	const hint = "name a file written with gwplan check --write-baseline"
	in, err := os.Open(file)
	if err != nil {
		return nil, usageError("--baseline: "+err.Error(), hint)
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, maxBaseline+1))
	switch {
	case err != nil:
		return nil, usageError("--baseline: "+err.Error(), hint)
	case len(data) > maxBaseline:
		return nil, usageError(fmt.Sprintf("--baseline: %s is over %d bytes", file, maxBaseline), hint)
	}
	var check plan.Check
	var fields map[string]json.RawMessage
	if json.Unmarshal(data, &check) != nil || json.Unmarshal(data, &fields) != nil || check.SchemaVersion != plan.SchemaVersion || fields["environments"] == nil || fields["head"] != nil {
		return nil, usageError("--baseline: "+file+" is not the JSON of a check", hint)
	}
	return rule.NewBaseline(&check), nil
}

// writeBaseline writes the findings of a check and nothing else.
func writeBaseline(file string, check *plan.Check) error {
	writer, _ := report.Check.As("json")
	doc := &plan.Check{SchemaVersion: check.SchemaVersion, Tool: check.Tool, Revision: check.Revision, Environments: check.Environments}
	doc.Summary.Findings = check.Summary.Findings
	return output[plan.Check]{writer, file}.toFile(doc, outline.Style{})
}
