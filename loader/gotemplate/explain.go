package gotemplate

import (
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"github.com/gwplan/gwplan/internal/yamltext"
)

// Explain returns what an error of a template says, without the values that it repeats: any of
// them may be a secret. text/template itself repeats few. Other functions repeat what they are
// given, so only their names are kept, and a message that a template contains word for word, as
// most calls of fail and required do. templates are the texts that it may be in.
func Explain(err error, templates ...string) string {
	exec, ok := errors.AsType[template.ExecError](err)
	switch {
	case !ok:
		return err.Error()
	case errors.Is(err, yamltext.ErrTooLong):
		return yamltext.ErrTooLong.Error()
	}
	text, said := exec.Err.Error(), errors.Unwrap(exec.Err)
	if said == nil {
		return printed.ReplaceAllString(text, "$1 the value")
	}
	if _, deeper := errors.AsType[template.ExecError](said); deeper {
		return Explain(said, templates...)
	}
	message := said.Error()
	before, _ := strings.CutSuffix(strings.TrimSuffix(text, message), ": ")
	called := before[strings.LastIndexByte(before, ' ')+1:]
	switch missing := names.FindString(message); {
	case missing != "" && !isWritten(missing, templates):
		return before // the name was computed, perhaps from values
	case missing != "":
		return missing
	case slices.Contains(ofGo, called) || Contains(message, templates...):
		return text
	case strings.HasPrefix(called, "gwplan"):
		return strings.TrimSuffix(before, called) + "tpl" // the text of which is a template itself
	}
	return before
}

// isWritten reports whether one of the templates has the name of a message about a missing template or function.
func isWritten(message string, templates []string) bool {
	_, name, _ := strings.Cut(message, `"`)
	name, _, _ = strings.Cut(name, `"`)
	return slices.ContainsFunc(templates, func(t string) bool { return strings.Contains(t, name) })
}

// Contains reports whether one of the templates has a message as a text of its own.
func Contains(message string, templates ...string) bool {
	return slices.ContainsFunc(templates, func(t string) bool {
		return strings.Contains(t, strconv.Quote(message)) || strings.Contains(t, "`"+message+"`")
	})
}

var (
	// printed matches the only messages of text/template that print a value.
	printed = regexp.MustCompile(`(?s)(can't iterate over|can't use) .*`)
	// names matches messages about templates and functions that do not exist.
	names = regexp.MustCompile(`no template "[^"]*"|function "\w+" not defined`)
	// ofGo are the functions of text/template that can fail. Their messages name types and counts.
	ofGo = []string{"call", "eq", "ge", "gt", "index", "le", "len", "lt", "ne", "slice"}
)
