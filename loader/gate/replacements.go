package gate

import (
	"fmt"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
)

// maxInsertions limits the replacements of a build that put a text into a part of another one, where the object that gives the
// text is such a target, too: each of them can double the text (kustomize api/filters/replacement, setFieldValue).
const maxInsertions = 16

// inserts counts the replacements of a list that can double a text, and refuses the list that has too many.
func (g *visit) inserts(f *Folder, list *loader.Value) {
	if list == nil || list.Shape != loader.List {
		return
	}
	grown := map[string]bool{}
	for _, item := range list.Items {
		for _, target := range item.List("targets") {
			if target.Str("options", "delimiter") != "" {
				grown[selected(target.Get("select"))] = true
			}
		}
	}
	for _, item := range list.Items {
		if len(grown) == 0 || !grown[selected(item.Get("source"))] {
			continue
		}
		if g.insertions++; g.insertions > maxInsertions {
			g.refuse(f.File, item, deploy.Complain(loader.LimitKustomizations, fmt.Sprintf("more than %d replacements put texts into parts of objects that give texts themselves", maxInsertions), "split the kustomization"))
			return
		}
	}
}

// selected names what a selector of a replacement selects.
func selected(selector *loader.Value) string {
	return selector.Str("kind") + "/" + selector.Str("name")
}
