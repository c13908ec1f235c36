package refusal

import (
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// kgatewayTraffic follows kgateway, pkg/kgateway/extensions2/plugins/trafficpolicy/basic_auth_policy.go, validateAndFilterSHAUsers: a
// user whom Envoy cannot take is left out, and the policy is refused for it, too.
func kgatewayTraffic(spec *loader.Value) []Refusal {
	basic := spec.Get("basicAuth")
	users := basic.Get("users")
	if !basic.Get("disable").IsNull() || users == nil || users.Opaque {
		return nil
	}
	seen := map[string]bool{}
	for _, at := range users.ItemList() {
		text, known := written(at)
		if !known {
			return nil
		}
		for line := range strings.SplitSeq(text, "\n") {
			line = strings.TrimSpace(line)
			if line == "" || line[0] == '#' {
				continue
			}
			name, hash, colon := strings.Cut(line, ":")
			switch {
			case !colon, !strings.HasPrefix(hash, shaPrefix) || len(hash) != len(shaPrefix)+shaLength:
				return []Refusal{{Path: "basicAuth.users", At: at, Why: "a user has no password with the hash " + shaPrefix}}
			case seen[name]:
				return []Refusal{{Path: "basicAuth.users", At: at, Why: "a user is there twice"}}
			}
			seen[name] = true
		}
	}
	if len(seen) == 0 && len(users.ItemList()) > 0 {
		return []Refusal{{Path: "basicAuth.users", At: users, Why: "there is no user"}}
	}
	return nil
}

// shaPrefix comes before the hash of a password, shaLength is the length of one.
const (
	shaPrefix = "{SHA}"
	shaLength = 28
)
