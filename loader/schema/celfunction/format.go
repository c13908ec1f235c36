package celfunction

import (
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/decls"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"

	"github.com/gwplan/gwplan/internal/dns"
)

// format is a form that a text may have.
type format struct {
	name  string
	valid func(string) bool
}

// allFormats are those of the API server (pkg/cel/library/format.go), without its messages.
var allFormats = []format{
	{"dns1123Label", within(63, label)},
	{"dns1123Subdomain", dns.IsSubdomain},
	{"dns1035Label", within(63, label1035)},
	{"dns1123LabelPrefix", prefix(within(63, label))},
	{"dns1123SubdomainPrefix", prefix(dns.IsSubdomain)},
	{"dns1035LabelPrefix", prefix(within(63, label1035))},
	{"qualifiedName", qualifiedName},
	{"labelValue", func(s string) bool { return s == "" || within(63, labelName)(s) }},
	{"uri", func(s string) bool { _, err := url.ParseRequestURI(s); return err == nil }},
	{"uuid", within(64, uuid)},
	{"byte", base64.MatchString},
	{"date", isDate},
	{"datetime", isDateTime},
}

// What each has without its limit (apimachinery, pkg/api/validate/content; kube-openapi, pkg/validation/strfmt).
var (
	label     = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`)
	label1035 = regexp.MustCompile(`^[a-z]([-a-z0-9]*[a-z0-9])?$`)
	labelName = regexp.MustCompile(`^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$`)
	uuid      = regexp.MustCompile(`(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$`)
	base64    = regexp.MustCompile(`^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$`)
	clock     = regexp.MustCompile(`^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$`)
)

func within(most int, e *regexp.Regexp) func(string) bool {
	return func(s string) bool { return len(s) <= most && e.MatchString(s) }
}

// prefix is for texts to which something will be added (apimachinery, pkg/api/validation/generic.go, maskTrailingDash).
func prefix(valid func(string) bool) func(string) bool {
	return func(s string) bool {
		if len(s) > 1 && strings.HasSuffix(s, "-") {
			s = s[:len(s)-2] + "a"
		}
		return valid(s)
	}
}

func qualifiedName(s string) bool {
	domain, name, prefixed := strings.Cut(s, "/")
	if !prefixed {
		return within(63, labelName)(s)
	}
	return dns.IsSubdomain(domain) && within(63, labelName)(name)
}

func isDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

// isDateTime is strfmt.IsDateTime, which has no second 60 and takes any character before the fraction.
func isDateTime(s string) bool {
	part := strings.Split(strings.ToLower(s), "t")
	if len(part) < 2 || !isDate(part[0]) {
		return false
	}
	m := clock.FindStringSubmatch(part[1])
	return m != nil && m[1] <= "23" && m[2] <= "59" && m[3] <= "59"
}

// formats are format.NAME(), format.named(NAME) and validate, which returns nothing for what has the format.
func formats() []cel.EnvOption {
	formatType := cel.ObjectType("kubernetes.NamedFormat")
	named := map[string]ref.Val{}
	options := []cel.EnvOption{
		cel.Function("format.named", cel.Overload("format-named", []*cel.Type{cel.StringType}, cel.OptionalType(formatType),
			unary(func(name string) ref.Val {
				if f := named[name]; f != nil {
					return types.OptionalOf(f)
				}
				return types.OptionalNone
			}))),
		cel.Function("validate", cel.MemberOverload("format-validate", []*cel.Type{formatType, cel.StringType},
			cel.OptionalType(cel.ListType(cel.StringType)), binary(func(f format, s string) ref.Val {
				if f.valid(s) {
					return types.OptionalNone
				}
				return types.OptionalOf(texts([]string{"is no " + f.name}))
			}))),
	}
	for _, f := range allFormats {
		value := opaque[format]{f, formatType, func(a, b format) bool { return a.name == b.name }}
		named[f.name] = value
		options = append(options, cel.Function("format."+f.name, cel.Overload("format."+f.name, nil, formatType,
			decls.FunctionBinding(func(...ref.Val) ref.Val { return value }))))
	}
	return options
}
