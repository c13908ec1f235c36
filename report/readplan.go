package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/report/outline"
)

// maxPlanBytes bounds what ReadPlan holds in memory.
const maxPlanBytes = 512 << 20

// ReadPlan reads the output of `gwplan diff -o json`. It ignores unknown fields, because newer
// versions add some. Another schema version is an error, and so is another document: read as a
// plan, it would report that nothing changed.
func ReadPlan(r io.Reader) (*plan.Plan, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxPlanBytes+1))
	if err != nil {
		return nil, fmt.Errorf("plan cannot be read: %w", err)
	}
	if len(data) > maxPlanBytes {
		return nil, fmt.Errorf("plan is over %d bytes; narrow it with -n, -e or PATH", maxPlanBytes)
	}
	if err := isPlan(data); err != nil {
		return nil, err
	}
	var p plan.Plan
	dec := json.NewDecoder(bytes.NewReader(data))
	// Numbers keep their text, so that they are printed as they were written.
	dec.UseNumber()
	if err := dec.Decode(&p); err != nil {
		return nil, fmt.Errorf("plan does not have the shape of %s: %v; write it anew with gwplan diff -o json", plan.SchemaVersion, err)
	}
	if word, ok := strangeWord(reflect.ValueOf(p)); !ok {
		return nil, fmt.Errorf("plan has %s where a word is expected; write it anew with gwplan diff -o json", outline.Safe(strconv.Quote(outline.Clamp(word, maxShown))))
	}
	return &p, nil
}

// maxShown is how much of a wrong word an error shows.
const maxShown = 40

// strangeWord looks for a value of an enumeration that is no word, and returns it and false. Reports print such values as they
// are. A word that this version does not know is one of a newer version.
func strangeWord(v reflect.Value) (string, bool) {
	switch v.Kind() {
	case reflect.String:
		if v.Type().PkgPath() == reflect.TypeFor[plan.Severity]().PkgPath() && strings.ContainsFunc(v.String(), func(r rune) bool { return r != '-' && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') }) {
			return v.String(), false
		}
	case reflect.Pointer:
		if !v.IsNil() {
			return strangeWord(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if word, ok := strangeWord(v.Field(i)); !ok {
				return word, false
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			if word, ok := strangeWord(v.Index(i)); !ok {
				return word, false
			}
		}
	default:
	}
	return "", true
}

// isPlan checks the fields that identify a plan.
func isPlan(data []byte) error {
	var doc struct {
		SchemaVersion *string         `json:"schemaVersion"`
		Base          json.RawMessage `json:"base"`
		Head          json.RawMessage `json:"head"`
		Summary       json.RawMessage `json:"summary"`
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		return fmt.Errorf("plan is not JSON: %v; write it with gwplan diff -o json", err)
	}
	switch {
	case doc.SchemaVersion == nil:
		return errors.New("plan has no schemaVersion; write it with gwplan diff -o json")
	case *doc.SchemaVersion != plan.SchemaVersion:
		return fmt.Errorf("plan has schemaVersion %q, this gwplan reads %q; write it anew with this gwplan diff -o json",
			*doc.SchemaVersion, plan.SchemaVersion)
	case doc.Base == nil || doc.Head == nil || doc.Summary == nil:
		return errors.New("document is not a plan, base, head or summary is missing; write it with gwplan diff -o json")
	}
	return nil
}
