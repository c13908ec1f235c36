package argoplugin

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// word is one argument of a command. known is false if it contains an unknown variable.
// values means that text is the content of a `<(echo "$VALUES")`.
type word struct {
	text   string
	known  bool
	values bool
}

// words returns the arguments of a command. An unquoted variable may expand to several.
func (r *reader) words(args []*syntax.Word) ([]word, error) {
	var out []word
	for _, arg := range args {
		w, err := r.word(arg)
		if err != nil {
			return nil, err
		}
		if _, bare := arg.Parts[0].(*syntax.ParamExp); bare && len(arg.Parts) == 1 && w.known {
			for _, field := range strings.Fields(w.text) {
				out = append(out, word{text: field, known: true})
			}
			continue
		}
		out = append(out, w)
	}
	return out, nil
}

func (r *reader) word(arg *syntax.Word) (word, error) {
	w := word{known: true}
	for _, part := range arg.Parts {
		if err := r.part(part, &w); err != nil {
			return w, err
		}
	}
	return w, nil
}

func (r *reader) part(part syntax.WordPart, w *word) error {
	switch p := part.(type) {
	case *syntax.Lit:
		w.text += strings.ReplaceAll(p.Value, `\`, "")
	case *syntax.SglQuoted:
		w.text += p.Value
	case *syntax.DblQuoted:
		for _, inner := range p.Parts {
			if err := r.part(inner, w); err != nil {
				return err
			}
		}
	case *syntax.ParamExp:
		return r.variable(p, w)
	case *syntax.ProcSubst:
		if p.Op != syntax.CmdIn || len(p.Stmts) != 1 {
			return fmt.Errorf("it uses the output of another command")
		}
		call, ok := p.Stmts[0].Cmd.(*syntax.CallExpr)
		if !ok {
			return fmt.Errorf("it uses the output of another command")
		}
		words, err := r.words(call.Args)
		if err != nil || len(words) == 0 || words[0].text != "echo" && words[0].text != "printf" {
			return fmt.Errorf("it uses the output of another command")
		}
		w.values = true
		for _, inner := range words[1:] {
			w.text += inner.text
			w.known = w.known && inner.known
		}
	default:
		return fmt.Errorf("it uses the output of another command")
	}
	return nil
}

// variable appends the value of $NAME, ${NAME} or ${NAME:-DEFAULT} to a word.
func (r *reader) variable(p *syntax.ParamExp, w *word) error {
	if p.Param == nil || p.Excl || p.Length || p.Width || p.Index != nil || p.Slice != nil || p.Repl != nil {
		return fmt.Errorf("a variable is edited")
	}
	value, known := r.env(p.Param.Value)
	if p.Exp != nil {
		if p.Exp.Op != syntax.DefaultUnset && p.Exp.Op != syntax.DefaultUnsetOrNull {
			return fmt.Errorf("a variable is edited")
		}
		if known && value == "" && p.Exp.Word != nil {
			byDefault, err := r.word(p.Exp.Word)
			if err != nil {
				return err
			}
			value, known = byDefault.text, byDefault.known
		}
	}
	w.text += value
	w.known = w.known && known
	return nil
}

// kustomize parses the arguments of kustomize build.
func (r *reader) kustomize(args []word) (*Build, error) {
	b := &Build{Tool: Kustomize, Dir: r.dir}
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case a.text == "--load-restrictor" || a.text == "--helm-command":
			i++
		case strings.HasPrefix(a.text, "-"):
		case !a.known:
			return nil, fmt.Errorf("it builds a folder that is not known")
		default:
			b.Dir = path.Join(r.dir, a.text)
		}
	}
	return b, nil
}

// flagsOfHelm are flags with a value that is not evaluated here.
var flagsOfHelm = []string{"--kube-version", "--api-versions", "-a", "--timeout", "--kubeconfig"}

// helm parses the arguments of helm template.
func (r *reader) helm(args []word) (*Build, error) {
	b := &Build{Tool: Helm, Dir: ""}
	var plain []word
	value := func(i *int) word {
		if *i++; *i < len(args) {
			return args[*i]
		}
		return word{}
	}
	for i := 0; i < len(args); i++ {
		flag, inline, joined := strings.Cut(args[i].text, "=")
		arg := func() word {
			if joined {
				return word{text: inline, known: args[i].known}
			}
			return value(&i)
		}
		switch {
		case flag == "-n" || flag == "--namespace":
			w := arg()
			if b.Namespace = w.text; !w.known {
				return nil, fmt.Errorf("its namespace is not known")
			}
		case flag == "--name-template":
			w := arg()
			b.Name = w.text
		case flag == "-f" || flag == "--values":
			w := arg()
			if !w.known {
				return nil, fmt.Errorf("its values are not known")
			}
			if w.values {
				b.Values = append(b.Values, Values{Text: w.text})
			} else {
				b.Values = append(b.Values, Values{File: path.Join(r.dir, w.text)})
			}
		case flag == "--include-crds":
			b.CRDs = true
		case slices.Contains(flagsOfHelm, flag):
			arg()
		case flag == "--dependency-update" || flag == "--skip-tests" || flag == "--no-hooks" || flag == "--release-name" || flag == "--create-namespace":
		case strings.HasPrefix(flag, "-"):
			return nil, fmt.Errorf("it gives helm template %s", clipped(flag))
		case !args[i].known:
			return nil, fmt.Errorf("its arguments are not known")
		default:
			plain = append(plain, args[i])
		}
	}
	switch len(plain) {
	case 1:
		b.Dir = path.Join(r.dir, plain[0].text)
	case 2:
		b.Name, b.Dir = plain[0].text, path.Join(r.dir, plain[1].text)
	default:
		return nil, fmt.Errorf("it renders a chart that is not known")
	}
	return b, nil
}
