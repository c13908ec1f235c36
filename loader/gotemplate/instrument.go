package gotemplate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/template/parse"
)

// The names by which rewritten templates call back.
const (
	funcStep   = "gwplanStep"
	funcTake   = "gwplanTake"
	funcDeeper = "gwplanDeeper"
	funcEnter  = "gwplanEnter"
	funcLeave  = "gwplanLeave"
)

// maxTemplate bounds a template: the parser walks as deep as its actions nest, and
// a longer one could overflow the stack.
const maxTemplate = 2 << 20

// Instrument rewrites the text of a template. What it prints stays the same, as
// long as the budget lasts. A template that calls back by itself is refused.
func Instrument(text string) (string, error) { return InstrumentDelimited(text, "{{", "}}") }

// InstrumentDelimited does the same for a template whose actions stand between other
// marks. Those of the result stand between {{ and }}.
func InstrumentDelimited(text, left, right string) (string, error) {
	// A text without actions loops nowhere.
	if !strings.Contains(text, left) {
		if left == "{{" {
			return text, nil
		}
		return escaped(text), nil
	}
	if len(text) > maxTemplate {
		return "", fmt.Errorf("the template has %d bytes, more than %d", len(text), maxTemplate)
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
		// An empty template takes no other's place, and must stay empty for that.
		if !parse.IsEmptyTree(root) {
			w.body(root)
		}
		if w.err != nil {
			return "", w.err
		}
		// Nodes are written with the delimiters that their tree was parsed with last.
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

// escaped writes a text so that none of it is an action.
func escaped(text string) string { return strings.ReplaceAll(text, "{{", `{{"{{"}}`) }

// maxLevels bounds how deep loops and branches of a template nest: together with
// the depth of calls it bounds the stack that running it takes.
const maxLevels = 250

type rewriter struct {
	tree *parse.Tree
	err  error
	// level is how deep the list being rewritten stands in others.
	level int
}

// body rewrites a list that is run as often as a loop or a caller wants.
func (w *rewriter) body(list *parse.ListNode) {
	if list == nil {
		return
	}
	size := w.list(list)
	list.Nodes = append([]parse.Node{w.action(funcStep + " " + strconv.Itoa(size))}, list.Nodes...)
}

// list rewrites the nodes of a list and gives the size of their text.
func (w *rewriter) list(list *parse.ListNode) int {
	size := 0
	if list == nil || w.err != nil {
		return size
	}
	if w.level++; w.level > maxLevels {
		w.err = fmt.Errorf("its loops and branches nest deeper than %d levels", maxLevels)
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

// action is a call, as the parser makes it: a node needs its tree to be written.
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

// pipe rewrites the commands of a pipeline: each result of a call is taken.
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

// callee is the function that a command calls, or "".
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
