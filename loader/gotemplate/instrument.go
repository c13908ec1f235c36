package gotemplate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/template/parse"

	"github.com/gwplan/gwplan/loader"
)

// The names of the callback functions in rewritten templates.
const (
	funcStep   = "gwplanStep"
	funcTake   = "gwplanTake"
	funcDeeper = "gwplanDeeper"
	funcEnter  = "gwplanEnter"
	funcLeave  = "gwplanLeave"
)

// maxTemplate limits the bytes of a template. The recursion depth of the parser is the
// nesting depth of the actions, so a longer template could overflow the stack.
const maxTemplate = 2 << 20

// Instrument rewrites the text of a template. Its output is unchanged as long as the budget
// lasts. A template that itself calls a callback function is an error.
func Instrument(text string) (string, error) { return InstrumentDelimited(text, "{{", "}}") }

// InstrumentDelimited rewrites a template with other action delimiters. The delimiters of
// the result are {{ and }}.
func InstrumentDelimited(text, left, right string) (string, error) {
	// A text without actions has no loops or calls.
	if !strings.Contains(text, left) {
		if left == "{{" {
			return text, nil
		}
		return escaped(text), nil
	}
	if len(text) > maxTemplate {
		return "", loader.Limit(fmt.Sprintf("the template has %d bytes, more than %d", len(text), maxTemplate))
	}
	const name = "gwplan"
	tree := parse.New(name)
	tree.Mode = parse.SkipFuncCheck
	set := map[string]*parse.Tree{}
	if _, err := tree.Parse(text, left, right, set); err != nil {
		return "", fmt.Errorf("%v", strings.TrimPrefix(err.Error(), "template: "+name+":"))
	}
	var out strings.Builder
	main := ""
	names := make([]string, 0, len(set))
	for n := range set {
		names = append(names, n)
	}
	slices.Sort(names)
	for _, n := range names {
		root := set[n].Root
		w := rewriter{tree: set[n]}
		// In text/template an empty definition does not replace another one of the same
		// name, so it must stay empty.
		if !parse.IsEmptyTree(root) {
			w.body(root)
		}
		if w.err != nil {
			return "", w.err
		}
		// String uses the delimiters of the last Parse of a tree, so parse it with {{ and }}.
		if _, err := set[n].Parse("", "{{", "}}", map[string]*parse.Tree{}); err != nil {
			return "", err
		}
		if n == name {
			main = root.String()
			continue
		}
		out.WriteString("{{define " + strconv.Quote(n) + "}}" + root.String() + "{{end}}")
	}
	out.WriteString(main)
	return out.String(), nil
}

// escaped escapes a text so that no part of it is parsed as an action.
func escaped(text string) string { return strings.ReplaceAll(text, "{{", `{{"{{"}}`) }

// maxLevels limits the nesting depth of loops and branches of a template. Together with
// the limit of the call depth it limits the stack of the rendering.
const maxLevels = 250

type rewriter struct {
	tree *parse.Tree
	err  error
	// level is the nesting depth of the list that is being rewritten.
	level int
}

// body rewrites a list that may run many times: that of a loop or of a template.
func (w *rewriter) body(list *parse.ListNode) {
	if list == nil {
		return
	}
	size := w.list(list)
	list.Nodes = append([]parse.Node{w.action(funcStep + " " + strconv.Itoa(size))}, list.Nodes...)
}

// list rewrites the nodes of a list and returns the size of their literal text.
func (w *rewriter) list(list *parse.ListNode) int {
	size := 0
	if list == nil || w.err != nil {
		return size
	}
	if w.level++; w.level > maxLevels {
		w.err = loader.Limit(fmt.Sprintf("its loops and branches nest deeper than %d levels", maxLevels))
		return size
	}
	defer func() { w.level-- }()
	var nodes []parse.Node
	for _, n := range list.Nodes {
		called, isCall := n.(*parse.TemplateNode)
		if isCall {
			nodes = append(nodes, w.action(funcDeeper+` ""`))
		}
		nodes = append(nodes, n)
		if isCall {
			w.pipe(called.Pipe)
			nodes = append(nodes, w.action(funcLeave+` ""`))
			continue
		}
		switch n := n.(type) {
		case *parse.TextNode:
			size += len(n.Text)
			n.Text = []byte(escaped(string(n.Text)))
		case *parse.ActionNode:
			w.pipe(n.Pipe)
			if len(n.Pipe.Decl) == 0 && !w.ends(n.Pipe, funcTake) {
				n.Pipe.Cmds = append(n.Pipe.Cmds, w.command(funcTake))
			}
		case *parse.IfNode:
			size += w.branch(&n.BranchNode)
		case *parse.WithNode:
			size += w.branch(&n.BranchNode)
		case *parse.RangeNode:
			w.pipe(n.Pipe)
			w.body(n.List)
			size += w.list(n.ElseList)
		}
	}
	list.Nodes = nodes
	return size
}

// action returns the action node of a call. It comes from the parser, because a node needs
// a tree to be written as text.
func (w *rewriter) action(call string) parse.Node {
	t := parse.New("action")
	t.Mode = parse.SkipFuncCheck
	if _, err := t.Parse("{{"+call+"}}", "{{", "}}", map[string]*parse.Tree{}); err != nil {
		w.err = err
		return &parse.TextNode{NodeType: parse.NodeText}
	}
	return t.Root.Nodes[0]
}

func (w *rewriter) branch(n *parse.BranchNode) int {
	w.pipe(n.Pipe)
	return w.list(n.List) + w.list(n.ElseList)
}

// pipe rewrites the commands of a pipeline so that the result of each call is charged.
func (w *rewriter) pipe(p *parse.PipeNode) {
	if p == nil {
		return
	}
	var cmds []*parse.CommandNode
	for _, c := range p.Cmds {
		w.args(c)
		cmds = append(cmds, c)
		name := callee(c)
		if strings.HasPrefix(name, "gwplan") {
			w.err = fmt.Errorf("the template calls %s, which is none of its functions", name)
		}
		switch name {
		case "tpl", "include":
			guard := funcDeeper
			if name == "tpl" {
				guard = funcEnter
			}
			if len(c.Args) < 2 {
				w.err = fmt.Errorf("%s is called without its first argument", name)
				return
			}
			inner := &parse.PipeNode{NodeType: parse.NodePipe, Cmds: []*parse.CommandNode{w.command(guard, c.Args[1])}}
			c.Args[1] = inner
			cmds = append(cmds, w.command(funcLeave), w.command(funcTake))
		default:
			if name != "" || len(c.Args) > 1 {
				cmds = append(cmds, w.command(funcTake))
			}
		}
	}
	p.Cmds = cmds
}

// callee returns the name of the function that a command calls, or "".
func callee(c *parse.CommandNode) string {
	if id, ok := c.Args[0].(*parse.IdentifierNode); ok {
		return id.Ident
	}
	return ""
}

// args rewrites the pipelines inside a command.
func (w *rewriter) args(c *parse.CommandNode) {
	for _, arg := range c.Args {
		switch arg := arg.(type) {
		case *parse.PipeNode:
			w.pipe(arg)
		case *parse.ChainNode:
			if inner, ok := arg.Node.(*parse.PipeNode); ok {
				w.pipe(inner)
			}
		}
	}
}

func (w *rewriter) ends(p *parse.PipeNode, name string) bool {
	return callee(p.Cmds[len(p.Cmds)-1]) == name
}

func (w *rewriter) command(name string, args ...parse.Node) *parse.CommandNode {
	id := parse.NewIdentifier(name).SetTree(w.tree)
	return &parse.CommandNode{NodeType: parse.NodeCommand, Args: append([]parse.Node{id}, args...)}
}
