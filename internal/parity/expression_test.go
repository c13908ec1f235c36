package parity_test

import (
	"fmt"
	"testing"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/cel/environment"

	"github.com/gwplan/gwplan/loader/schema/celfunction"
)

// calls are expressions about a text.
var calls = []string{
	"isURL(self)", "url(self).getScheme()", "url(self).getHost()", "url(self).getHostname()", "url(self).getPort()",
	"url(self).getEscapedPath()", "url(self).getQuery()", "url(self) == url('https://a.example/x')",
	"isIP(self)", "ip(self).family()", "string(ip(self))", "ip.isCanonical(self)", "ip(self) == ip('10.0.0.1')", "ip(self).isLoopback()",
	"isCIDR(self)", "cidr(self).prefixLength()", "string(cidr(self).masked())", "cidr('10.0.0.0/8').containsIP(self)", "cidr('10.0.0.0/8').containsCIDR(self)",
	"isQuantity(self)", "quantity(self).isGreaterThan(quantity('1677215'))", "quantity(self).isLessThan(quantity('1'))",
	"quantity(self).compareTo(quantity('1Ki'))", "quantity(self) == quantity('1k')", "sign(quantity(self))",
	"quantity(self).asApproximateFloat() > 1.1", "quantity(self).add(1).compareTo(quantity('2'))", "quantity(self).sub(quantity('1')).compareTo(quantity('0'))",
	"self.find('[a-z]+')", "self.findAll('[a-z]')", "self.findAll('[0-9]', 2)", "self.find(self) == self",
	"format.dns1123Label().validate(self).hasValue()", "format.dns1123Subdomain().validate(self).hasValue()", "format.dns1035Label().validate(self).hasValue()",
	"format.dns1123LabelPrefix().validate(self).hasValue()", "format.dns1123SubdomainPrefix().validate(self).hasValue()", "format.dns1035LabelPrefix().validate(self).hasValue()",
	"format.qualifiedName().validate(self).hasValue()", "format.labelValue().validate(self).hasValue()", "format.uri().validate(self).hasValue()",
	"format.uuid().validate(self).hasValue()", "format.byte().validate(self).hasValue()", "format.date().validate(self).hasValue()", "format.datetime().validate(self).hasValue()",
	"format.named(self).hasValue()", "format.named('uri').value().validate(self).hasValue()", "format.uri() == format.uri()",
	"sets.contains(['a', '1'], [self])", "['a', 'b'].exists(i, v, i == 1 && v == self)", "self.charAt(0)", "type(url(self))",
}

// subjects are the texts that they are about.
var subjects = []string{
	"", "a", "1", "a.b", "A", "-", "a-", "a-.", "a/b", "a.example/b", "/b", "a/", "a/b/c", "a_b", "A.b-C", "1a", "www.cupcakes.example", "dns1123Label", "uri",
	"https://a.example/x", "https://a.example:8443/x%20y?a=1&a=2&b#f", "http://[::1]:80/", "/only/path", "a.example/x", "http://a b/", "mailto:ana@a.example", "%zz", "http://a.example/?q=%zz",
	"10.0.0.1", "010.0.0.1", "10.0.0.1/8", "10.0.0.0/8", "10.1.0.0/16", "::1", "fe80::1%eth0", "::ffff:10.0.0.1", "::ffff:10.0.0.0/104", "2001:DB8::1", "2001:db8::/32", "1.2.3.4/33", "127.0.0.1",
	"1Ki", "1k", "1K", "0.5", ".5", "5.", "1.5Gi", "-3m", "+2", "1e3", "1E3", "1E", "1e-3", "12n", "1u", "0.0000000001", "-0.0000000001", "1Ei", "9Ei", "-16Ei", "99999999999999999999", "1e30", "1677216", "1.0", "1_000", "0x10", "1 ", "Gi", "k", "--1", ".", "-.", "+", "-k", ".k", "1.k", "1..k", "e3", "1e", "00012", "0.00Ki", "1.5.1",
	"123e4567-e89b-12d3-a456-426614174000", "123E4567e89b12d3a456426614174000", "aGVsbG8=", "aGVsbG8", "2026-02-29", "2024-02-29", "2026-01-01T00:00:00Z", "2026-01-01t23:59:59.5+02:00", "2026-01-01T24:00:00Z", "2026-01-01T00:00:60Z", "2026-01-01T00:00:00",
	"ä", "a\nb", "[", "(a)+",
}

// TestExpressions holds the functions of expressions against those of the API server: the same result for each text, or an
// error of both.
func TestExpressions(t *testing.T) {
	ours, err := cel.NewEnv(append(celfunction.Options(), cel.Variable("self", cel.DynType), cel.OptionalTypes())...)
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := environment.MustBaseEnvSet(version.MajorMinor(1, 36)).StoredExpressionsEnv().Extend(cel.Variable("self", cel.DynType))
	if err != nil {
		t.Fatal(err)
	}
	for _, call := range calls {
		a, b := compiled(t, ours, call), compiled(t, theirs, call)
		for _, subject := range subjects {
			if has, want := result(a, subject), result(b, subject); has != want {
				t.Errorf("%s of %q: %s, the API server has %s", call, subject, has, want)
			}
		}
	}
}

func compiled(t *testing.T, env *cel.Env, call string) cel.Program {
	t.Helper()
	ast, issues := env.Compile(call)
	if issues.Err() != nil {
		t.Fatal(issues.Err())
	}
	program, err := env.Program(ast)
	if err != nil {
		t.Fatal(err)
	}
	return program
}

func result(program cel.Program, subject string) string {
	value, _, err := program.Eval(map[string]any{"self": subject})
	if err != nil || types.IsError(value) {
		return "an error"
	}
	return fmt.Sprintf("%v (%s)", value.Value(), value.Type().TypeName())
}
