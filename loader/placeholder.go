package loader

import "strings"

// Placeholder says whether a text holds something that is filled in on the way to the
// cluster, so that what it says is not known: a variable of Flux, or what argocd-vault-plugin
// and the like replace (its pkg/kube/util.go, specificPathPlaceholder and
// genericPlaceholder; argocd-vault-replacer src/substitution).
func Placeholder(text string) bool {
	return strings.Contains(text, "${") || angled(text)
}

// angled finds <path:a/b#key>, <secret:key>, <vault:key> and <KEY>, the name of a group in
// a regular expression excepted.
func angled(text string) bool {
	for {
		i := strings.IndexByte(text, '<')
		if i < 0 {
			return false
		}
		end := strings.IndexByte(text[i:], '>')
		if end < 0 {
			return false
		}
		group := strings.HasSuffix(text[:i], "(?") || strings.HasSuffix(text[:i], "(?P")
		if !group && fillable(text[i+1:i+end]) {
			return true
		}
		text = text[i+1:]
	}
}

func fillable(key string) bool {
	for _, prefix := range []string{"path:", "secret:", "vault:"} {
		if strings.HasPrefix(key, prefix) {
			return true
		}
	}
	if key == "" || key == encrypted {
		return false
	}
	return strings.Trim(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.") == ""
}

// encrypted stands for a value of SOPS, which is marked as unknown by itself.
const encrypted = "encrypted"
