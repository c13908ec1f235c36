package celfunction

import (
	"net/url"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// urls are isURL, url and the parts of one (apiserver, pkg/cel/library/urls.go).
func urls() []cel.EnvOption {
	urlType := cel.ObjectType("kubernetes.URL")
	options := []cel.EnvOption{
		cel.Function("isURL", cel.Overload("is_url_string", []*cel.Type{cel.StringType}, cel.BoolType,
			unary(func(s string) ref.Val {
				_, err := url.ParseRequestURI(s)
				return types.Bool(err == nil)
			}))),
		cel.Function("url", cel.Overload("string_to_url", []*cel.Type{cel.StringType}, urlType, unary(func(s string) ref.Val { return toURL(s, urlType) }))),
		cel.Function("getQuery", cel.MemberOverload("url_get_query", []*cel.Type{urlType},
			cel.MapType(cel.StringType, cel.ListType(cel.StringType)), unary(query))),
	}
	for _, part := range []struct {
		name, overload string
		of             func(*url.URL) string
	}{
		{"getScheme", "url_get_scheme", func(u *url.URL) string { return u.Scheme }},
		{"getHost", "url_get_host", func(u *url.URL) string { return u.Host }},
		{"getHostname", "url_get_hostname", (*url.URL).Hostname},
		{"getPort", "url_get_port", (*url.URL).Port},
		{"getEscapedPath", "url_get_escaped_path", (*url.URL).EscapedPath},
	} {
		options = append(options, cel.Function(part.name, cel.MemberOverload(part.overload, []*cel.Type{urlType}, cel.StringType,
			unary(func(u *url.URL) ref.Val { return types.String(part.of(u)) }))))
	}
	return options
}

// toURL wants an absolute URL or path, as ParseRequestURI does, which takes a fragment for a part of the path.
func toURL(s string, kind *cel.Type) ref.Val {
	if _, err := url.ParseRequestURI(s); err != nil {
		return types.NewErr("URL parse error during conversion from string: %v", err)
	}
	u, err := url.Parse(s)
	if err != nil {
		return types.NewErr("URL parse error during conversion from string: %v", err)
	}
	return opaque[*url.URL]{u, kind, func(a, b *url.URL) bool { return a.String() == b.String() }}
}

func query(u *url.URL) ref.Val {
	result := map[ref.Val]ref.Val{}
	for key, values := range u.Query() {
		result[types.String(key)] = texts(values)
	}
	return types.NewRefValMap(types.DefaultTypeAdapter, result)
}
