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

// Plain scalars resolve as sigs.k8s.io/yaml resolves them on the way to JSON
// (go.yaml.in/yaml/v2, resolve.go), since that is what the cluster gets: YAML 1.1
// booleans, octal and binary integers, underscores in numbers.

// word is a scalar with a meaning of its own.
type word struct {
	shape loader.Shape
	text  string
	// float is the number of a Float, whose text is left to the user.
	float float64
}

// resolve gives a scalar its shape. tag is "" for a plain one. Trouble is told
// in words; "" is none.
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

// numberShape goes by how JSON writes the number: 1.0 reaches the API server
// as 1, an integer.
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

// keyText is the text of a map's key as sigs.k8s.io/yaml converts it.
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
	// Whatever is too large for 32 bits becomes an infinity there.
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

// understand applies the tag: one of the core schema must fit, binary is
// refused because nothing after it could be trusted to be text, and any other
// leaves the text as it is.
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
		return word{shape: loader.Float, float: f}, troubleOf(err)
	}
	if !fits {
		return w, "the value cannot be read as " + tag
	}
	return w, ""
}

func troubleOf(err error) string {
	if err != nil {
		return err.Error()
	}
	return ""
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

// named resolves the words of YAML 1.1.
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

// integerText keeps the string at hand where it is the number's own form.
func integerText(s string, i int64) string {
	if len(s) < 20 && s[0] >= '1' && s[0] <= '9' && strings.Trim(s, "0123456789") == "" {
		return s
	}
	return strconv.FormatInt(i, 10)
}

// holdsVariable finds what some renderer would replace: a ${NAME} (Flux's
// substitution writes a literal one with a second dollar sign), a <path:...#...>.
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

// encryptedText stands for a value of SOPS: it is unknown.
const encryptedText = "<encrypted>"

// isEncrypted knows a value of SOPS.
func isEncrypted(s string) bool { return strings.HasPrefix(s, "ENC[AES256_GCM,") }
