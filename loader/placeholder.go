package loader

import "strings"

// Encrypted stands for a value that SOPS encrypts, which is unknown.
const Encrypted = "<encrypted>"

// SealedKey is the key under which a Secret without its body holds a digest of it: whether two revisions of a Secret
// differ is all that is known of its values. The metadata of another object holds one of what it has from Secrets.
const SealedKey = "gwplan.dev/sealed"

// Placeholder reports whether a text contains a placeholder that is replaced before the text
// reaches the cluster, so that its final content is unknown. That is a variable of Flux, or a
// placeholder of argocd-vault-plugin and similar tools (its pkg/kube/util.go,
// specificPathPlaceholder and genericPlaceholder; argocd-vault-replacer src/substitution).
func Placeholder(text string) bool {
	return strings.Contains(text, "${") || angled(text)
}

// angled reports whether a text contains <path:a/b#key>, <secret:key>, <vault:key> or <KEY>. The
// name of a group in a regular expression does not count.
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

// encrypted replaces a value of SOPS, which is marked as unknown separately.
const encrypted = "encrypted"
