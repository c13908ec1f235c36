package variable

import (
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
)

// disabled is the annotation or label that switches substitution off for an object
// (varsub.go, substituteAnnotationKey).
const disabled = "kustomize.toolkit.fluxcd.io/substitute"

// maxObject limits the total bytes of the expanded texts of one object.
const maxObject = 4 << 20

// Result is an object after substitution.
type Result struct {
	Root *loader.Value
	// Files are the files that the marks of Root index: first those of the object, then
	// those that set variables.
	Files []string
	// Inputs are the positions of the variables that were substituted in the object.
	Inputs []loader.Position
	// Missing are variables that are not set and have no default.
	Missing []Missing
}

// Missing is a variable that is set nowhere and has no default.
type Missing struct {
	Name string
	Mark loader.Mark
}

// Error is an error of substitution. In this case Flux applies nothing of the whole
// Kustomization.
type Error struct {
	Mark    loader.Mark
	Message string
	// reason is the error that this one is about, or nil.
	reason error
}

func (e *Error) Error() string { return e.Message }

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.reason }

// Fill substitutes the variables in every string and key of an object. files are the files
// that its marks index. An object without variables is returned unchanged. The error is an
// *Error.
func (s *Set) Fill(root *loader.Value, files []string, limits manifest.Limits) (Result, error) {
	out := Result{Root: root, Files: files}
	if !s.active() || !holds(root) || switchedOff(root) {
		return out, nil
	}
	f := filler{set: s, out: &out, limits: limits}
	v, err := f.value(root)
	if err != nil {
		return Result{Root: root, Files: files}, err
	}
	out.Root = v
	slices.SortFunc(out.Inputs, loader.Position.Compare)
	out.Inputs = slices.Compact(out.Inputs)
	return out, nil
}

// switchedOff reports whether the object disables substitution.
func switchedOff(root *loader.Value) bool {
	for _, field := range []string{"labels", "annotations"} {
		if root.Str("metadata", field, disabled) == "disabled" {
			return true
		}
	}
	return false
}

// holds reports whether a string or key in a value contains the beginning of an expression
// or an escape.
func holds(v *loader.Value) bool {
	if v == nil {
		return false
	}
	if v.Shape == loader.String && marked(v.Text) {
		return true
	}
	for _, f := range v.Fields {
		if marked(f.Key) || holds(f.Value) {
			return true
		}
	}
	return slices.ContainsFunc(v.Items, holds)
}

func marked(text string) bool { return strings.Contains(text, "${") || strings.Contains(text, "$$") }

type filler struct {
	set    *Set
	out    *Result
	limits manifest.Limits
	grown  int
}

func (f *filler) value(v *loader.Value) (*loader.Value, error) {
	if !holds(v) {
		return v, nil
	}
	if v.Shape == loader.String {
		return f.text(v)
	}
	out := *v
	out.Fields, out.Items = slices.Clone(v.Fields), slices.Clone(v.Items)
	for i := range out.Fields {
		key, err := f.key(out.Fields[i])
		if err != nil {
			return nil, err
		}
		by, err := f.value(out.Fields[i].Value)
		if err != nil {
			return nil, err
		}
		out.Fields[i] = loader.Field{Key: key, Value: by}
	}
	for i := range out.Items {
		by, err := f.value(out.Items[i])
		if err != nil {
			return nil, err
		}
		out.Items[i] = by
	}
	return &out, nil
}

func (f *filler) key(field loader.Field) (string, error) {
	if !marked(field.Key) {
		return field.Key, nil
	}
	e, err := f.expand(field.Key, field.Value.Mark)
	return e.text, err
}

// expand evaluates a text and records the variables that it uses.
func (f *filler) expand(text string, at loader.Mark) (expansion, error) {
	e, err := f.set.expand(text)
	if err != nil {
		return e, &Error{at, err.Error(), err}
	}
	return e, f.note(e, at)
}

func (f *filler) note(e expansion, at loader.Mark) error {
	if f.grown += len(e.text); f.grown > maxObject {
		beyond := loader.Limit(fmt.Sprintf("the variables of the object expand to more than %d bytes", maxObject))
		return &Error{at, beyond.Error(), beyond}
	}
	for _, name := range e.used {
		if where := f.set.Values[name].At; where.File != "" {
			f.out.Inputs = append(append(f.out.Inputs, where), f.set.Values[name].From...)
		}
	}
	for _, name := range e.missing {
		f.out.Missing = append(f.out.Missing, Missing{name, at})
	}
	return nil
}

// isPlain reports whether YAML writes a text unquoted. It is no regular expression, because texts may be long.
func isPlain(text string) bool { return text != "" && only(text, "._/${}:-") }

// isPlainWord reports whether YAML parses a result as the same string: it begins with a letter and contains a dot or slash,
// so that it is no number, bool or null.
func isPlainWord(text string) bool {
	if len(text) < 3 || !only(text, "._/:-") {
		return false
	}
	first, last := text[0], text[len(text)-1]
	return isLetter(first) && (isLetter(last) || isDigit(last)) && strings.ContainsAny(text[:len(text)-1], "./")
}

// only reports whether a text has letters and digits of ASCII only, and these others.
func only(text, others string) bool {
	for i := range len(text) {
		if c := text[i]; !isLetter(c) && !isDigit(c) && strings.IndexByte(others, c) < 0 {
			return false
		}
	}
	return true
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// text substitutes in one string. For plain ones it avoids the detour through YAML.
func (f *filler) text(v *loader.Value) (*loader.Value, error) {
	if !isPlain(v.Text) {
		return f.written(v)
	}
	e, err := f.set.expand(v.Text)
	if err != nil || e.opaque || !isPlainWord(e.text) {
		return f.written(v)
	}
	if err := f.note(e, v.Mark); err != nil {
		return nil, err
	}
	return &loader.Value{Shape: loader.String, Text: e.text, Mark: f.place(v, e)}, nil
}

// written substitutes in one string like Flux, which substitutes in the YAML of the object
// and parses the result. So it writes the string as YAML, substitutes and parses it.
func (f *filler) written(v *loader.Value) (*loader.Value, error) {
	written, err := yaml.Marshal(map[string]string{"v": v.Text})
	if err != nil {
		return v, nil
	}
	e, err := f.expand(string(written), v.Mark)
	if err != nil {
		return nil, err
	}
	docs, problems := manifest.Parse([]byte(e.text), f.limits)
	if len(problems) > 0 || len(docs) != 1 || docs[0].Get("v") == nil {
		return nil, &Error{v.Mark, "the text is not valid YAML any more once its variables are filled in", nil}
	}
	place := v.Mark
	if alone, err := f.set.expand(v.Text); err == nil {
		place = f.place(v, alone)
	}
	// Only an unknown variable makes the result opaque.
	out := docs[0].Get("v").Copy(func(v *loader.Value) { v.Mark, v.Opaque = place, false })
	out.Opaque = e.opaque
	return out, nil
}

// place returns the mark of a substituted value: where its variable is set if the text is
// one variable and nothing else, otherwise where the text is written.
func (f *filler) place(v *loader.Value, e expansion) loader.Mark {
	if !e.whole {
		return v.Mark
	}
	at := f.set.Values[e.used[0]].At
	if at.File == "" || at.Line == 0 {
		return v.Mark
	}
	i := slices.Index(f.out.Files, at.File)
	if i < 0 {
		i = len(f.out.Files)
		f.out.Files = append(slices.Clone(f.out.Files), at.File)
	}
	return loader.Mark{File: uint32(i), Line: uint32(at.Line), Column: uint32(at.Column)}
}
