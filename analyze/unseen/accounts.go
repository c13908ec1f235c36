package unseen

import (
	"path"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/applied"
	"github.com/gwplan/gwplan/analyze/network"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// accountFields are the fields in which policies of a mesh name the workloads that may send by their ServiceAccounts, as
// identities, with or without a namespace, or as references (Istio, Authorization Policy, Source; Linkerd, MeshTLSAuthentication).
var accountFields = []string{"principals", "notPrincipals", "serviceAccounts", "notServiceAccounts", "identities", "identityRefs"}

// reidentified finds workloads that take another ServiceAccount, where policies of a mesh admit or deny what sends by it.
func reidentified(s *search, pair applied.Pair) {
	if pair.Base == nil || pair.Head == nil || len(pair.Head.Workloads) == 0 {
		return
	}
	was := loader.ByID(pair.Base.Workloads)
	var named []namedAccount
	read := false
	for _, o := range pair.Head.Workloads {
		before := was[o.ID]
		if before == nil || before.Digest == o.Digest || network.AccountOf(before) == network.AccountOf(o) {
			continue
		}
		if !read {
			named, read = namedAccounts(pair.Head), true
		}
		by := policiesThat(named, func(n namedAccount) bool {
			return n.is(o.ID.Namespace, network.AccountOf(before)) != n.is(o.ID.Namespace, network.AccountOf(o))
		})
		if len(by) > 0 {
			s.add(o.ID.Spoken(), plan.EditChanged, pair.Name(), o.First(), by).Account = o.ID.Namespace + "/" + network.AccountOf(o)
		}
	}
}

// namedAccount is how a policy in a namespace names ServiceAccounts: a text with stars, or a reference.
type namedAccount struct {
	namespace, text string
	reference       bool
	policy          string
}

// policiesThat are the policies that name a ServiceAccount in a way that tells.
func policiesThat(named []namedAccount, tells func(namedAccount) bool) []string {
	var out []string
	for _, n := range named {
		if tells(n) {
			out = append(out, n.policy)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// namedAccounts are the ServiceAccounts that the policies of an environment name.
func namedAccounts(env *loader.Environment) []namedAccount {
	var out []namedAccount
	for _, o := range env.Objects {
		if o.ID.Group != "security.istio.io" && o.ID.Group != "policy.linkerd.io" {
			continue
		}
		eachField(o.Spec(), func(key string, v *loader.Value) {
			if !slices.Contains(accountFields, key) {
				return
			}
			for _, item := range v.Items {
				switch {
				case item.Shape == loader.Map && item.Str("kind") == "ServiceAccount":
					namespace := item.Str("namespace")
					if namespace == "" {
						namespace = o.ID.Namespace
					}
					out = append(out, namedAccount{namespace, item.Str("name"), true, o.ID.Spoken()})
				case item.Shape != loader.Map:
					out = append(out, namedAccount{o.ID.Namespace, item.Text, false, o.ID.Spoken()})
				}
			}
		})
	}
	return out
}

// eachField visits all fields of a value, those of lists and maps in it, too.
func eachField(v *loader.Value, visit func(key string, v *loader.Value)) {
	if v == nil {
		return
	}
	for _, f := range v.Fields {
		visit(f.Key, f.Value)
		eachField(f.Value, visit)
	}
	for _, item := range v.Items {
		eachField(item, visit)
	}
}

// is reports whether a ServiceAccount is named: with its namespace, as the identity of Istio
// (DOMAIN/ns/NAMESPACE/sa/NAME) or of Linkerd (NAME.NAMESPACE.serviceaccount.identity.linkerd.DOMAIN), or alone. A star
// stands for any text.
func (n namedAccount) is(namespace, account string) bool {
	if n.reference {
		return n.namespace == namespace && n.text == account
	}
	if n.namespace == namespace && n.text == account {
		return true
	}
	pattern, tail, _ := strings.Cut(n.text, "/ns/")
	if tail != "" {
		pattern = "/ns/" + tail
	}
	for _, identity := range []string{"/ns/" + namespace + "/sa/" + account, namespace + "/" + account, account + "." + namespace + ".serviceaccount.identity"} {
		if like(pattern, identity) {
			return true
		}
	}
	return false
}

// like reports whether a text matches a pattern in which a star matches any text. What follows .serviceaccount.identity
// in a pattern of Linkerd is ignored.
func like(pattern, text string) bool {
	if before, _, found := strings.Cut(pattern, ".serviceaccount.identity"); found {
		pattern = before + ".serviceaccount.identity"
	}
	flat := strings.NewReplacer("/", "\x00", "[", "", "]", "", "?", "", "\\", "")
	ok, err := path.Match(flat.Replace(pattern), flat.Replace(text))
	return err == nil && ok
}
