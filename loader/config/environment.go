package config

import (
	"fmt"
	"path"
	"regexp"
	"strings"
	"unicode"

	"github.com/gwplan/gwplan/loader"
)

func (r *reader) environment(v *loader.Value, p place) {
	if v.Shape != loader.Map {
		return
	}
	e := Environment{Name: v.Str("name"), Position: p.at}
	if name := stringAt(v, "name"); name != nil {
		r.environmentName(name, p)
	}
	if one := stringAt(v, "path"); one != nil {
		e.Paths = r.paths(e.Paths, one, p.path+".path")
	}
	for i, item := range v.List("paths") {
		if item.Shape == loader.String {
			e.Paths = r.paths(e.Paths, item, fmt.Sprintf("%s.paths[%d]", p.path, i))
		}
	}
	one, several, argo := field(v, "path"), field(v, "paths"), stringAt(v, "argocd")
	if argo != nil {
		e.ArgoCD = argo.Text
	}
	switch {
	case argo != nil && (one != nil || several != nil):
		r.mistake(r.text.position(argo), p.path+" has both argocd and paths", "keep one of them")
	case argo != nil:
	case one != nil && several != nil:
		r.wrongKey(*one, p.path+" has both path and paths", "keep paths")
	case one == nil && several == nil:
		r.mistake(p.at, p.path+" has no paths", "add the folders, kustomizations or files that it is made of")
	case several != nil && several.Value.Shape == loader.List && len(several.Value.Items) == 0:
		r.wrongKey(*several, p.path+".paths is empty", "add the folders, kustomizations or files that it is made of")
	}
	r.config.Environments = append(r.config.Environments, e)
}

func (r *reader) environmentName(name *loader.Value, p place) {
	at := r.text.position(name)
	unprintable := func(c rune) bool { return !unicode.IsPrint(c) }
	switch {
	case name.Text == "":
		r.mistake(at, p.path+".name is empty", "name the environment")
	case strings.TrimSpace(name.Text) != name.Text || strings.ContainsFunc(name.Text, unprintable) || len(name.Text) > maxName:
		r.mistake(at, fmt.Sprintf("%s is not a valid name of an environment", quote(name.Text)), "use one line of printable text without space around it")
	}
	if first, again := r.names[name.Text]; again && name.Text != "" {
		r.mistake(at, fmt.Sprintf("the environment %s is defined twice, first in line %d", quote(name.Text), first),
			"rename one of them, or join their paths")
		return
	}
	r.names[name.Text] = at.Line
}

var (
	drive = regexp.MustCompile(`^[A-Za-z]:[/\\]`)
	// up matches a .. segment, also inside braces.
	up = regexp.MustCompile(`(^|[/{,])\.\.($|[/},])`)
)

// paths appends a path of an environment if it is valid.
func (r *reader) paths(to []string, v *loader.Value, subject string) []string {
	at, p := r.text.position(v), v.Text
	switch {
	case p == "":
		r.mistake(at, subject+" is empty", "use . for the whole repository")
		return to
	case strings.HasPrefix(p, "/") || drive.MatchString(p):
		r.mistake(at, fmt.Sprintf("%s %s is absolute", subject, quote(p)), "write it relative to the root of the repository")
		return to
	case up.MatchString(p):
		r.mistake(at, fmt.Sprintf("%s %s points outside the repository", subject, quote(p)), "write it relative to the root of the repository, without ..")
		return to
	}
	if message, hint := checkPattern(p); message != "" {
		r.mistake(at, subject+" "+message, hint)
		return to
	}
	return append(to, path.Clean(p))
}
