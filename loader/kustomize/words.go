package kustomize

import (
	"regexp"
	"strings"
	"sync"

	"sigs.k8s.io/kustomize/api/types"
)

// words matches a text that has a plain word which is a boolean in YAML 1.1 and a text in YAML 1.2.
var words = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)[-:\[,{][ \t]+(y|Y|yes|Yes|YES|n|N|no|No|NO|on|On|ON|off|Off|OFF)[ \t\r]*($|[,}\]#])`)
})

// mistakesWord reports whether kustomize refuses a kustomization because it reads such a word as a boolean (api/types/kustomization.go,
// Unmarshal). What gwplan hands to kustomize is written anew, and quotes it.
func mistakesWord(text []byte) bool {
	if !words().Match(text) {
		return false
	}
	err := new(types.Kustomization).Unmarshal(text)
	return err != nil && strings.Contains(err.Error(), "cannot unmarshal bool")
}
