package gotemplate

import (
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"text/template"
	"time"

	"github.com/Masterminds/sprig/v3"
	"github.com/gwplan/gwplan/internal/expression"
)

// functions replaces functions of sprig and of text/template by ones that the budget pays for.
type functions struct{ *Budget }

// Funcs returns the callback functions of instrumented templates, and safe replacements for
// functions of sprig. They must override the functions of the engine.
func (b *Budget) Funcs() template.FuncMap {
	f := functions{b}
	own := template.FuncMap{
		funcStep: b.step, funcTake: b.take, funcDeeper: b.deeper, funcEnter: b.enter, funcLeave: b.leave,
	}
	for _, group := range []template.FuncMap{f.growing(), f.splitting(), f.cyclic(), f.printing(), steady(b), invented(), {"lookup": lookup}} {
		maps.Copy(own, group)
	}
	for _, name := range guesses() {
		own[name] = b.guessing(name, own[name])
	}
	return own
}

// Sprig returns the complete function map for engines that have none: sprig without the
// functions that read the environment (Argo CD applicationset/utils/utils.go, init).
func (b *Budget) Sprig() template.FuncMap {
	all := sprig.TxtFuncMap()
	for _, name := range []string{"env", "expandenv"} {
		delete(all, name)
	}
	maps.Copy(all, b.Funcs())
	return all
}

// room returns an error if the budget has no room for a result of n bytes. It charges
// nothing: the result is charged once it exists.
func (b *Budget) room(n int) error {
	if n < 0 || n > b.left.Bytes {
		return b.bytes(n)
	}
	return nil
}

// huge is more than any budget.
const huge = 1 << 40

// times multiplies sizes without overflow. A negative size results in huge.
func times(a, b int) int {
	if a < 0 || b < 0 || a > 0 && b > huge/a {
		return huge
	}
	return a * b
}

// sane reports whether numbers are small enough for arithmetic without overflow.
func sane(numbers ...int) bool {
	return !slices.ContainsFunc(numbers, func(n int) bool { return n > huge || n < -huge })
}

// maxComparisons limits functions that compare each item with every other item.
const maxComparisons = 10_000_000

// growing returns functions whose result, or cost, may be much larger than their arguments.
func (f functions) growing() template.FuncMap {
	orig := sprig.TxtFuncMap()
	out := template.FuncMap{
		"repeat": func(count int, s string) (string, error) {
			if err := f.room(times(count, len(s))); err != nil {
				return "", err
			}
			return strings.Repeat(s, count), nil
		},
		"indent": f.indent,
		"nindent": func(spaces int, s string) (string, error) {
			out, err := f.indent(spaces, s)
			return "\n" + out, err
		},
		"replace": func(old, by, s string) (string, error) {
			if err := f.room(times(strings.Count(s, old), len(by)) + len(s)); err != nil {
				return "", err
			}
			return strings.ReplaceAll(s, old, by), nil
		},
		"until": func(count int) ([]int, error) { return f.count(0, count, sign(count)) },
		"untilStep": func(start, stop, step int) ([]int, error) {
			return f.count(start, stop, step)
		},
		"printf": f.printf,
		"join": func(sep string, list any) (any, error) {
			if err := f.room(times(len(sep), size(list))); err != nil {
				return "", err
			}
			return call(orig["join"], sep, list)
		},
		"seq": func(params ...int) (any, error) {
			if !sane(params...) {
				return "", f.fail("seq with numbers that are too large")
			}
			for _, p := range params {
				if err := f.room(times(16, max(p, -p))); err != nil {
					return "", err
				}
			}
			args := make([]any, len(params))
			for i, p := range params {
				args[i] = p
			}
			return call(orig["seq"], args...)
		},
	}
	for _, name := range []string{"regexReplaceAll", "regexReplaceAllLiteral", "mustRegexReplaceAll", "mustRegexReplaceAllLiteral"} {
		out[name] = func(pattern, s, by string) (any, error) {
			if err := f.room(times(len(s)+1, len(by)+1)); err != nil {
				return "", err
			}
			if expression.States(pattern) > expression.MaxStates {
				return nil, f.fail(fmt.Sprintf("a regular expression of more than %d states", expression.MaxStates))
			}
			if err := f.steps(times(len(pattern)+1, len(s)+1) / bytesPerStep); err != nil {
				return nil, err
			}
			return call(orig[name], pattern, s, by)
		}
	}
	// A match cannot be stopped, and takes time for each byte of the text and each state of the
	// pattern.
	for name, function := range orig {
		if _, done := out[name]; done || !strings.HasPrefix(strings.ToLower(strings.TrimPrefix(name, "must")), "regex") || strings.HasSuffix(name, "QuoteMeta") {
			continue
		}
		out[name] = func(args ...any) (any, error) {
			work := 1
			for _, arg := range args {
				if text, ok := arg.(string); ok {
					work = times(work, len(text)+1)
				}
			}
			if len(args) > 0 {
				if pattern, ok := args[0].(string); ok && expression.States(pattern) > expression.MaxStates {
					return nil, f.fail(fmt.Sprintf("a regular expression of more than %d states", expression.MaxStates))
				}
			}
			if err := f.steps(work / bytesPerStep); err != nil {
				return nil, err
			}
			return call(function, few(args)...)
		}
	}
	// uniq and without compare all pairs of items, so they are limited by comparisons.
	for _, name := range []string{"uniq", "mustUniq"} {
		out[name] = func(list any) (any, error) {
			if n := size(list) / 16; times(n, n) > maxComparisons {
				return nil, f.fail(fmt.Sprintf("%s of %d items", name, n))
			}
			return call(orig[name], list)
		}
	}
	for _, name := range []string{"without", "mustWithout"} {
		out[name] = func(list any, omit ...any) (any, error) {
			if times(size(list)/16, len(omit)) > maxComparisons {
				return nil, f.fail(fmt.Sprintf("%s of %d items", name, size(list)/16))
			}
			return call(orig[name], append([]any{list}, omit...)...)
		}
	}
	for _, name := range []string{"wrap", "wrapWith"} {
		out[name] = func(args ...any) (any, error) {
			total := 1
			for _, a := range args {
				total = times(total, size(a)+1)
			}
			if err := f.room(total); err != nil {
				return "", err
			}
			return call(orig[name], args...)
		}
	}
	return out
}

// few replaces a number of matches, the last argument, by one more than a list may have: a list of all matches of a long text
// would fill the memory before it is found too long.
func few(args []any) []any {
	if last := len(args) - 1; last >= 0 {
		if n, is := args[last].(int); is && (n < 0 || n > maxItems) {
			args[last] = maxItems + 1
		}
	}
	return args
}

// splitting returns the functions that make a list of a text, whose items are counted beforehand.
func (f functions) splitting() template.FuncMap {
	orig := sprig.TxtFuncMap()
	counted := func(s, sep string, most int) error {
		if n := min(strings.Count(s, sep)+1, most); n > maxItems {
			return f.fail(fmt.Sprintf("a list has more than %d items", maxItems))
		}
		return nil
	}
	out := template.FuncMap{
		"splitn": func(sep string, n int, s string) (any, error) {
			most := n
			if n < 0 {
				most = len(s) + 2
			}
			if err := counted(s, sep, most); err != nil {
				return nil, err
			}
			return call(orig["splitn"], sep, n, s)
		},
	}
	for _, name := range []string{"split", "splitList"} {
		out[name] = func(sep, s string) (any, error) {
			if err := counted(s, sep, len(s)+2); err != nil {
				return nil, err
			}
			return call(orig[name], sep, s)
		}
	}
	return out
}

// bytesPerStep is how many bytes times states one step pays for: about a millisecond.
const bytesPerStep = 100_000

func (f functions) indent(spaces int, s string) (string, error) {
	if err := f.room(times(spaces, strings.Count(s, "\n")+1)); err != nil {
		return "", err
	}
	pad := strings.Repeat(" ", spaces)
	return pad + strings.ReplaceAll(s, "\n", "\n"+pad), nil
}

func sign(n int) int {
	if n < 0 {
		return -1
	}
	return 1
}

// count returns the numbers from start up to stop, exclusive (sprig numeric.go, untilStep).
func (f functions) count(start, stop, step int) ([]int, error) {
	if !sane(start, stop, step) {
		return nil, f.fail("a list of numbers that is too large")
	}
	if step == 0 || step > 0 && start >= stop || step < 0 && start <= stop {
		return nil, nil
	}
	n := (stop - start) / step
	if err := f.room(times(16, n+1)); err != nil {
		return nil, err
	}
	out := make([]int, 0, n+1)
	for i := start; step > 0 && i < stop || step < 0 && i > stop; i += step {
		out = append(out, i)
	}
	return out, nil
}

// wide matches a width or precision of five or more digits, or a * in its place.
var wide = regexp.MustCompile(`%[^a-zA-Z%]*([0-9]{5,}|\*)`)

func (f functions) printf(format string, args ...any) (string, error) {
	if wide.MatchString(format) {
		return "", f.fail("a format has a width of more than 9999")
	}
	total := 10_000
	for _, a := range args {
		total += size(a)
	}
	if err := f.room(times(strings.Count(format, "%"), total)); err != nil {
		return "", err
	}
	return fmt.Sprintf(format, args...), nil
}

// cyclic returns functions that change a dictionary. They refuse to put a dictionary into
// itself, because printing or copying it would then never end.
func (f functions) cyclic() template.FuncMap {
	orig := sprig.TxtFuncMap()
	acyclic := func(those map[uintptr]bool, v any) error {
		found, err := f.holds(v, those)
		if err == nil && found {
			err = f.fail("a dictionary is put into itself")
		}
		return err
	}
	out := template.FuncMap{
		"set": func(d map[string]any, key string, v any) (map[string]any, error) {
			if err := acyclic(map[uintptr]bool{reflect.ValueOf(d).Pointer(): true}, v); err != nil {
				return nil, err
			}
			d[key] = v
			f.changed()
			return d, nil
		},
		"unset": func(d map[string]any, key string) map[string]any {
			delete(d, key)
			f.changed()
			return d
		},
	}
	for _, name := range []string{"merge", "mergeOverwrite", "mustMerge", "mustMergeOverwrite"} {
		out[name] = func(into map[string]any, from ...map[string]any) (any, error) {
			args := []any{into}
			those, err := f.dictionaries(into)
			if err != nil {
				return nil, err
			}
			for _, source := range from {
				// A dictionary merged into itself does not change.
				if reflect.ValueOf(source).Pointer() == reflect.ValueOf(into).Pointer() {
					continue
				}
				// Shared parts are common and harmless. Only if the source contains a
				// dictionary of the destination a copy is merged, to avoid a cycle.
				found, err := f.holds(source, those)
				if err != nil {
					return nil, err
				}
				var part any = source
				if found {
					if part, err = call(orig["deepCopy"], source); err != nil {
						return nil, err
					}
				}
				args = append(args, part)
			}
			got, err := call(orig[name], args...)
			f.changed()
			return got, err
		}
	}
	return out
}

// steady returns deterministic replacements for functions that depend on map order, the
// clock, the network or random numbers.
func steady(b *Budget) template.FuncMap {
	orig := sprig.TxtFuncMap()
	inZone := func(layout string, at any, zone string) (any, error) {
		return call(orig["dateInZone"], layout, timed(b, at), zone)
	}
	out := template.FuncMap{
		"keys": func(dicts ...map[string]any) []string {
			var keys []string
			for _, d := range dicts {
				keys = append(keys, slices.Sorted(maps.Keys(d))...)
			}
			return keys
		},
		"values": func(d map[string]any) []any {
			var values []any
			for _, key := range slices.Sorted(maps.Keys(d)) {
				values = append(values, d[key])
			}
			return values
		},
		"now":            func() time.Time { return time.Unix(0, 0).UTC() },
		"ago":            func(any) string { return "0s" },
		"date":           func(layout string, at any) (any, error) { return inZone(layout, at, "UTC") },
		"htmlDate":       func(at any) (any, error) { return call(orig["htmlDateInZone"], timed(b, at), "UTC") },
		"dateInZone":     inZone,
		"date_in_zone":   inZone,
		"htmlDateInZone": func(at any, zone string) (any, error) { return call(orig["htmlDateInZone"], timed(b, at), zone) },
		"toDate": func(layout, text string) time.Time {
			at, err := time.ParseInLocation(layout, text, time.UTC)
			if err != nil {
				return time.Time{}
			}
			return at
		},
		"mustToDate": func(layout, text string) (time.Time, error) { return time.ParseInLocation(layout, text, time.UTC) },
		"durationRound": func(d any) (any, error) {
			if _, clock := d.(time.Time); clock {
				guess(b, "now")
				return "0s", nil
			}
			return call(orig["durationRound"], d)
		},
		"getHostByName": func(string) string { return "" },
		"shuffle":       func(s string) string { return s },
		"randInt":       func(low, _ int) int { return low },
		"uuidv4":        func() string { return "00000000-0000-4000-8000-000000000000" },
	}
	for _, name := range []string{"randAlphaNum", "randAlpha", "randAscii", "randNumeric", "randBytes"} {
		out[name] = func(n int) (string, error) {
			if n < 0 || n > 1<<16 {
				return "", fmt.Errorf("%s of %d", name, n)
			}
			return strings.Repeat("0", n), nil
		}
	}
	return out
}

// timed returns a time unchanged, and the Unix epoch for any value that is not a time, for
// which sprig uses the current time.
func timed(b *Budget, at any) any {
	switch at.(type) {
	case time.Time, *time.Time, int64, int, int32:
		return at
	}
	guess(b, "now")
	return time.Unix(0, 0).UTC()
}

// certificate has the fields of sprig's certificate type.
type certificate struct{ Cert, Key string }

func keyMakers() []string {
	return []string{"genPrivateKey", "derivePassword", "bcrypt", "htpasswd", "encryptAES"}
}

func certificateMakers() []string {
	return []string{"genCA", "genCAWithKey", "genSelfSignedCert", "genSelfSignedCertWithKey", "genSignedCert", "genSignedCertWithKey", "buildCustomCert"}
}

// invented returns constant replacements for functions that generate keys. These are slow
// and random, and no plan depends on their result.
func invented() template.FuncMap {
	out := template.FuncMap{}
	for _, name := range keyMakers() {
		out[name] = func(...any) string { return "generated" }
	}
	for _, name := range certificateMakers() {
		out[name] = func(...any) certificate { return certificate{"generated", "generated"} }
	}
	return out
}

// call calls a function of sprig's map with the argument checks of a template.
func call(f any, args ...any) (any, error) {
	fn := reflect.ValueOf(f)
	in := make([]reflect.Value, len(args))
	for i, a := range args {
		kind := fn.Type()
		var want reflect.Type
		if kind.IsVariadic() && i >= kind.NumIn()-1 {
			want = kind.In(kind.NumIn() - 1).Elem()
		} else if i < kind.NumIn() {
			want = kind.In(i)
		} else {
			return nil, fmt.Errorf("wrong number of arguments: %d", len(args))
		}
		v := reflect.ValueOf(a)
		switch {
		case a == nil:
			v = reflect.Zero(want)
		case !v.Type().AssignableTo(want):
			return nil, fmt.Errorf("wrong type of argument %d: %T", i+1, a)
		}
		in[i] = v
	}
	if !fn.Type().IsVariadic() && len(in) != fn.Type().NumIn() {
		return nil, fmt.Errorf("wrong number of arguments: %d", len(args))
	}
	results := fn.Call(in)
	if len(results) == 2 && !results[1].IsNil() {
		return nil, results[1].Interface().(error)
	}
	return results[0].Interface(), nil
}
