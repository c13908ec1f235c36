package manifest

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// Plain scalars resolve like in sigs.k8s.io/yaml when it converts to JSON (go.yaml.in/yaml/v2,
// resolve.go), because the cluster gets that result: YAML 1.1 booleans, octal and binary integers,
// underscores in numbers.

// word is a resolved scalar.
type word struct {
	shape loader.Shape
	text  string
	// float is the number of a Float. The caller converts it to text.
	float float64
}

// resolve returns the shape of a scalar. tag is "" for a plain scalar. trouble is an error message,
// "" if there is none.
func resolve(value, tag string) (shape loader.Shape, text, trouble string) {
	w, trouble := understand(value, tag)
	if trouble != "" {
		return loader.Null, "", trouble
	}
	if w.shape != loader.Float {
		return w.shape, w.text, ""
	}
	number, err := json.Marshal(w.float)
	if err != nil {
		return loader.Null, "", fmt.Sprintf("%q is a number that JSON cannot hold", value)
	}
	return numberShape(string(number)), canonicalZero(string(number)), ""
}

// numberShape decides by how JSON writes the number: 1.0 reaches the API server as 1, an integer.
func numberShape(number string) loader.Shape {
	if strings.ContainsAny(number, ".eE") {
		return loader.Float
	}
	return loader.Int
}

func canonicalZero(number string) string {
	if number == "-0" {
		return "0"
	}
	return number
}

// keyText returns the text of a map's key as sigs.k8s.io/yaml converts it.
func keyText(value, tag string) (text, trouble string) {
	w, trouble := understand(value, tag)
	switch {
	case trouble != "":
		return "", trouble
	case w.shape == loader.Null:
		return "", "a key is null"
	case w.shape == loader.Int && !fitsInt64(w.text):
		return "", fmt.Sprintf("the key %q is too large a number", value)
	case w.shape != loader.Float:
		return w.text, ""
	}
	// A number too large for 32 bits becomes an infinity.
	switch text = strconv.FormatFloat(w.float, 'g', -1, 32); text {
	case "+Inf":
		return ".inf", ""
	case "-Inf":
		return "-.inf", ""
	case "NaN":
		return ".nan", ""
	}
	return text, ""
}

func fitsInt64(s string) bool {
	_, err := strconv.ParseInt(s, 10, 64)
	return err == nil
}

// understand applies the tag. If the tag is of the core schema, the value must match it. Binary is
// rejected, because the decoded bytes may not be text. Any other tag makes the value a string.
func understand(value, tag string) (w word, trouble string) {
	str := word{shape: loader.String, text: value}
	switch tag {
	case "":
		return plain(value), ""
	case "!!null", "!!bool", "!!int", "!!float":
	case "!!binary":
		return w, "binary values are not supported"
	default:
		return str, ""
	}
	w = plain(value)
	fits := tag == "!!null" && w.shape == loader.Null || tag == "!!bool" && w.shape == loader.Bool ||
		tag == "!!int" && w.shape == loader.Int || tag == "!!float" && w.shape == loader.Float
	if tag == "!!float" && w.shape == loader.Int {
		f, err := strconv.ParseFloat(w.text, 64)
		w, fits = word{shape: loader.Float, float: f}, err == nil
	}
	if !fits {
		return w, "the value cannot be read as " + tag
	}
	return w, ""
}

// plain resolves a scalar without quotes or tag.
func plain(s string) word {
	str := word{shape: loader.String, text: s}
	if s == "" {
		return word{}
	}
	switch c := s[0]; {
	case c >= '0' && c <= '9', c == '+', c == '-':
		if w, ok := number(s); ok {
			return w
		}
	case c == '.':
		if f, err := strconv.ParseFloat(s, 64); err == nil {
			return word{shape: loader.Float, float: f}
		}
	case !strings.ContainsRune("yYnNtTfFoO~", rune(c)):
		return str
	}
	return named(s)
}

// named resolves the constants of YAML 1.1.
func named(s string) word {
	switch {
	case isNull(s):
		return word{}
	case isTrue(s):
		return word{shape: loader.Bool, text: "true"}
	case isFalse(s):
		return word{shape: loader.Bool, text: "false"}
	}
	switch s {
	case ".nan", ".NaN", ".NAN":
		return word{shape: loader.Float, float: math.NaN()}
	case ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF":
		return word{shape: loader.Float, float: math.Inf(1)}
	case "-.inf", "-.Inf", "-.INF":
		return word{shape: loader.Float, float: math.Inf(-1)}
	}
	return word{shape: loader.String, text: s}
}

func isNull(s string) bool {
	switch s {
	case "~", "null", "Null", "NULL":
		return true
	}
	return false
}

func isTrue(s string) bool {
	switch s {
	case "y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON":
		return true
	}
	return false
}

func isFalse(s string) bool {
	switch s {
	case "n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF":
		return true
	}
	return false
}

var yamlFloat = regexp.MustCompile(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)

func number(s string) (word, bool) {
	digits := strings.ReplaceAll(s, "_", "")
	if i, err := strconv.ParseInt(digits, 0, 64); err == nil {
		return word{shape: loader.Int, text: integerText(s, i)}, true
	}
	if u, err := strconv.ParseUint(digits, 0, 64); err == nil {
		return word{shape: loader.Int, text: strconv.FormatUint(u, 10)}, true
	}
	if yamlFloat.MatchString(digits) {
		if f, err := strconv.ParseFloat(digits, 64); err == nil {
			return word{shape: loader.Float, float: f}, true
		}
	}
	return word{}, false
}

// integerText reuses s if it already is the number's canonical form, to save an allocation.
func integerText(s string, i int64) string {
	if len(s) < 20 && s[0] >= '1' && s[0] <= '9' && strings.Trim(s, "0123456789") == "" {
		return s
	}
	return strconv.FormatInt(i, 10)
}

// holdsVariable reports whether a renderer would replace a part of the text: a ${NAME} (Flux writes
// a literal one with a second dollar sign), a <path:...#...>.
func holdsVariable(s string) bool {
	if strings.IndexByte(s, '<') >= 0 && loader.Placeholder(strings.ReplaceAll(s, "${", "")) {
		return true
	}
	for {
		i := strings.Index(s, "${")
		if i < 0 {
			return false
		}
		escaped := i > 0 && s[i-1] == '$'
		s = s[i+2:]
		if !escaped && s != "" && (s[0] == '_' || isLetter(s[0])) && strings.IndexByte(s, '}') >= 0 {
			return true
		}
	}
}

// isEncrypted detects a value encrypted by SOPS.
func isEncrypted(s string) bool { return strings.HasPrefix(s, "ENC[AES256_GCM,") }
