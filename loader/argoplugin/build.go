package argoplugin

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Tool is the tool that renders the folder.
type Tool string

// The tools.
const (
	Kustomize Tool = "kustomize"
	Helm      Tool = "helm"
	// Files prints the manifests of the folder and of all folders below it.
	Files Tool = "files"
)

// Build describes how a plugin renders a folder, before it fills in placeholders.
type Build struct {
	Tool Tool
	// Dir is the folder to build, relative to the folder of the Application.
	Dir string
	// Name, Namespace and Values are those of the Helm release. Values are in the order of
	// the command; files are relative to the folder of the Application.
	Name, Namespace string
	Values          []Values
	CRDs            bool
}

// Values is a values file, or values as YAML text.
type Values struct{ File, Text string }

// Variables gives the value of a variable; ok is false where it is not known.
type Variables func(name string) (value string, ok bool)

// maxCommand limits the bytes of the command that is parsed.
const maxCommand = 16 << 10

// Build interprets the command of a plugin. The error names the part that is not supported.
func (d *Definition) Build(env Variables) (Build, error) {
	c := d.Command
	if len(c) == 0 {
		return Build{}, fmt.Errorf("it has no command")
	}
	script, ok := scriptOf(c)
	if !ok {
		quoted := make([]string, len(c))
		for i, word := range c {
			q, err := syntax.Quote(word, syntax.LangBash)
			if err != nil {
				return Build{}, fmt.Errorf("its command cannot be read")
			}
			quoted[i] = q
		}
		script = strings.Join(quoted, " ")
	}
	if len(script) > maxCommand {
		return Build{}, fmt.Errorf("its command is longer than %d bytes", maxCommand)
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(script), "")
	if err != nil {
		return Build{}, fmt.Errorf("its command cannot be read")
	}
	r := reader{env: env, dir: "."}
	for _, stmt := range file.Stmts {
		if err := r.statement(stmt.Cmd, stmt.Redirs); err != nil {
			return Build{}, err
		}
	}
	if r.built == nil {
		return Build{}, fmt.Errorf("its command does not print the output of a supported build")
	}
	return *r.built, nil
}

// scriptOf returns the script of a `sh -c SCRIPT` command.
func scriptOf(command []string) (string, bool) {
	if !slices.Contains([]string{"sh", "bash", "ash"}, path.Base(command[0])) {
		return "", false
	}
	for i, word := range command[1:] {
		if strings.HasPrefix(word, "-") && strings.HasSuffix(word, "c") && i+2 < len(command) {
			return command[i+2], true
		}
	}
	return "", false
}

// reader interprets a script statement by statement, without running it.
type reader struct {
	env Variables
	// dir is the current working folder of the script.
	dir string
	// built is the build that the script prints. kept is a build that it wrote into the
	// file keptIn of the folder.
	built, kept *Build
	keptIn      string
}

func (r *reader) statement(cmd syntax.Command, redirs []*syntax.Redirect) error {
	switch c := cmd.(type) {
	case *syntax.BinaryCmd:
		switch c.Op {
		case syntax.AndStmt:
			if err := r.statement(c.X.Cmd, c.X.Redirs); err != nil {
				return err
			}
			return r.statement(c.Y.Cmd, c.Y.Redirs)
		case syntax.OrStmt: // the second command runs only if the first fails
			return r.statement(c.X.Cmd, c.X.Redirs)
		case syntax.Pipe:
			if err := r.statement(c.X.Cmd, c.X.Redirs); err != nil {
				return err
			}
			return r.fill(c.Y)
		default:
		}
	case *syntax.CallExpr:
		words, err := r.words(c.Args)
		if err != nil {
			return err
		}
		if len(words) == 0 {
			return nil // it only sets variables
		}
		return r.call(words, redirs)
	}
	return fmt.Errorf("its command contains something other than a supported build")
}

// call interprets one command.
func (r *reader) call(words []word, redirs []*syntax.Redirect) error {
	out, err := r.target(redirs)
	if err != nil {
		return err
	}
	var b *Build
	switch words[0].text {
	case "set", "echo", "export", "true", ":":
		if out == "" && words[0].text != "echo" {
			return nil
		}
	case "cd":
		if len(words) == 2 && words[1].known {
			r.dir = path.Join(r.dir, words[1].text)
			return nil
		}
	case "kustomize":
		if len(words) > 1 && words[1].text == "build" {
			b, err = r.kustomize(words[2:])
		}
	case "kubectl", "oc":
		if len(words) > 1 && words[1].text == "kustomize" {
			b, err = r.kustomize(words[2:])
		}
	case "helm":
		switch {
		case len(words) > 1 && words[1].text == "template":
			b, err = r.helm(words[2:])
		case len(words) > 1 && (words[1].text == "dependency" || words[1].text == "dep" || words[1].text == "repo"):
			return nil
		}
	default:
		if filler(words) {
			b, err = r.files(words)
		}
	}
	switch {
	case err != nil:
		return err
	case b == nil:
		return fmt.Errorf("its command %s is not supported", clipped(words[0].text))
	case out != "":
		r.kept, r.keptIn = b, out
	case b.Tool == Kustomize && r.kept != nil && b != r.kept:
		// In `helm template > all.yaml && kustomize build` the kustomization lists a file
		// that is not in the tree.
		return fmt.Errorf("it builds a kustomization from its own rendered output")
	case r.built != nil && r.built != b:
		return fmt.Errorf("it prints what several builds give")
	default:
		r.built = b
	}
	return nil
}

// fill checks a command that reads a build from a pipe: it may only fill in placeholders.
func (r *reader) fill(stmt *syntax.Stmt) error {
	c, ok := stmt.Cmd.(*syntax.CallExpr)
	if !ok {
		return fmt.Errorf("its command contains something other than a supported build")
	}
	words, err := r.words(c.Args)
	if err != nil {
		return err
	}
	if len(words) == 0 || !filler(words) && words[0].text != "cat" {
		return fmt.Errorf("it passes the build on to %s", clipped(firstWord(words)))
	}
	return nil
}

func firstWord(words []word) string {
	if len(words) == 0 {
		return "nothing"
	}
	return words[0].text
}

// filler reports whether a command only fills in placeholders.
func filler(words []word) bool {
	switch words[0].text {
	case "argocd-vault-plugin", "avp":
		return slices.ContainsFunc(words, func(w word) bool { return w.text == "generate" })
	case "argocd-vault-replacer", "argocd-secret-replacer", "envsubst":
		return true
	}
	return false
}

// files interprets a filler that reads a folder, or the file that holds an earlier build.
func (r *reader) files(words []word) (*Build, error) {
	where := "."
	for i := 1; i < len(words); i++ {
		switch w := words[i]; {
		case w.text == "-s" || w.text == "-c" || w.text == "--secret-name" || w.text == "--config-path":
			i++
		case w.text == "generate" || strings.HasPrefix(w.text, "-"):
		case !w.known:
			return nil, fmt.Errorf("it reads a folder that is not known")
		default:
			where = w.text
		}
	}
	if r.kept != nil && path.Clean(where) == r.keptIn {
		return r.kept, nil
	}
	if strings.Contains(path.Base(where), ".y") {
		return nil, fmt.Errorf("it reads %s", clipped(where))
	}
	return &Build{Tool: Files, Dir: path.Join(r.dir, where)}, nil
}

// target returns the file that a command redirects its output to, or "".
func (r *reader) target(redirs []*syntax.Redirect) (string, error) {
	out := ""
	for _, redir := range redirs {
		if redir.N != nil && redir.N.Value == "2" {
			continue
		}
		w, err := r.word(redir.Word)
		if err != nil || !w.known || redir.Op != syntax.RdrOut {
			return "", fmt.Errorf("its command contains something other than a supported build")
		}
		out = path.Clean(w.text)
	}
	return out, nil
}

func clipped(s string) string {
	if len(s) > 40 {
		s = s[:40] + "..."
	}
	return fmt.Sprintf("%q", s)
}
