package kustomize

import (
	"regexp"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/internal/expression"
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/tree"
)

// newImage is an entry of images: what images of a name become.
type newImage struct {
	matches           *regexp.Regexp
	name, tag, digest string
}

// plainImages reads images, or returns false if one of them needs kustomize, which applies a suffix of a tag more than once.
func plainImages(v *loader.Value) (out []newImage, ok bool) {
	for _, item := range v.ItemList() {
		if !only(item, "name", "newName", "newTag", "digest") || item.Str("name") == "" || slices.ContainsFunc(item.Fields, isNoText) {
			return nil, false
		}
		// kustomize api/internal/image/image.go, IsImageMatched
		re, err := expression.Compile("^" + item.Str("name") + "(:[a-zA-Z0-9_.{}-]*)?(@[a-zA-Z0-9]+([.+_-][a-zA-Z0-9]+)*:[a-zA-Z0-9_.{}-]*)?$")
		if err != nil {
			return nil, false
		}
		out = append(out, newImage{re, item.Str("newName"), item.Str("newTag"), item.Str("digest")})
	}
	return out, true
}

// isNoText reports whether kustomize may read something else than a text.
func isNoText(f loader.Field) bool {
	return f.Value.Shape != loader.String || f.Value.Text == "" || booleans[strings.ToLower(f.Value.Text)]
}

// in returns an image as the entry has it (kustomize api/filters/imagetag/updater.go).
func (n newImage) in(text string) string {
	if !n.matches.MatchString(text) {
		return text
	}
	name, tag, digest := splitImage(text)
	if n.name != "" {
		name = n.name
	}
	if n.tag != "" || n.digest != "" {
		tag, digest = n.tag, n.digest
	}
	if tag != "" {
		name += ":" + tag
	}
	if digest != "" {
		name += "@" + digest
	}
	return name
}

// splitImage splits [[HOST[:PORT]/]PATH/]NAME[:TAG][@DIGEST].
func splitImage(text string) (name, tag, digest string) {
	host := max(strings.IndexByte(text, '/'), 0)
	rest, digest, _ := strings.Cut(text[host:], "@")
	rest, tag, _ = strings.Cut(rest, ":")
	return text[:host] + rest, tag, digest
}

// withImages sets the images of containers, wherever an object has them, and of volumes of pods. It returns false if kustomize
// may refuse the object, or if the result is no text. Attribution sets the positions of these values.
func withImages(v *loader.Value, path string, images []newImage) (*loader.Value, bool) {
	switch v.Shape {
	case loader.Map:
		for _, f := range v.Fields {
			value, ok := withImages(f.Value, path+"/"+f.Key, images)
			if !ok {
				return nil, false
			}
			if f.Key == "containers" || f.Key == "initContainers" {
				value, ok = eachImage(value, images, "image")
			} else if slices.Contains(podVolumes, path+"/"+f.Key) {
				value, ok = eachImage(value, images, "image", "reference")
			}
			if !ok {
				return nil, false
			}
			if value != f.Value {
				v = tree.ReplaceKey(v, f.Key, loader.Field{Key: f.Key, Value: value})
			}
		}
	case loader.List:
		for i, item := range v.Items {
			value, ok := withImages(item, path+itemPath, images)
			if !ok {
				return nil, false
			}
			if value != item {
				v = replacedItem(v, i, value)
			}
		}
	case loader.Null, loader.Bool, loader.Int, loader.Float, loader.String:
	}
	return v, true
}

// podVolumes are the paths of the volumes of pods (kustomize api/internal/konfig/builtinpluginconsts/images.go).
var podVolumes = []string{"/spec/volumes", "/spec/template/spec/volumes", "/spec/jobTemplate/spec/template/spec/volumes"}

// eachImage sets the image at a path in each item of a list.
func eachImage(list *loader.Value, images []newImage, at ...string) (*loader.Value, bool) {
	if list.Shape != loader.List {
		return list, true
	}
	for i, item := range list.Items {
		was := item.Get(at...)
		switch {
		case item.Shape != loader.Map, was != nil && was.Shape != loader.String:
			return nil, false
		case was == nil:
			continue
		}
		is := was.Text
		for _, image := range images {
			is = image.in(is)
		}
		if is == was.Text {
			continue
		}
		if !strings.ContainsAny(is, "/:@") {
			return nil, false // it may be read as something else than a text
		}
		list = replacedItem(list, i, withText(item, is, at))
	}
	return list, true
}

// withText sets a text at a path that exists.
func withText(v *loader.Value, text string, at []string) *loader.Value {
	value := tree.Text(text)
	if len(at) > 1 {
		value = withText(v.Get(at[0]), text, at[1:])
	}
	return tree.ReplaceKey(v, at[0], loader.Field{Key: at[0], Value: value})
}

func replacedItem(list *loader.Value, i int, item *loader.Value) *loader.Value {
	out := *list
	out.Items = slices.Clone(list.Items)
	out.Items[i] = item
	return &out
}
