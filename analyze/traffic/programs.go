package traffic

import (
	"fmt"
	"path"

	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/plan"
)

// tracePrograms are programs as a trace lists them.
func tracePrograms(programs []effective.Program) []plan.TraceProgram {
	var out []plan.TraceProgram
	for i := range programs {
		if programs[i].Traced {
			continue
		}
		object, at := programs[i].Source()
		one := plan.TraceProgram{Is: programs[i].Is, Object: programs[i].Kind.String(), File: at.File, Line: at.Line}
		if object != nil {
			one.Object = object.ID.String()
		}
		out = append(out, one)
	}
	return out
}

// differentPrograms says in words how the programs on a way differ from those on another one; it is empty if they do
// not. guarded is true if a program that ran before is another one now, or is gone: it may have been what refused
// requests. admits is true if a new one may let requests in.
func differentPrograms(was, is []effective.Program) (words []string, guarded, admits bool) {
	changes, reordered := effective.ProgramChanges(was, is)
	if reordered {
		return []string{fmt.Sprintf("%s and %d more run in another order", programText(&is[0]), len(is)-1)}, true, false
	}
	for _, c := range changes {
		switch {
		case c.Was == nil:
			words, admits = append(words, programText(c.Is)+" is new"), admits || !c.Rewrites()
		case c.Is == nil:
			words, guarded = append(words, programText(c.Was)+" no longer runs"), guarded || !c.Rewrites()
		default:
			words, guarded = append(words, programText(c.Is)+" differs"), guarded || !c.Rewrites()
		}
	}
	return words, guarded, admits
}

// notComputed adds to each clause about a program that its effect on requests is not computed.
func notComputed(words []string) []string {
	out := make([]string, len(words))
	for i, text := range words {
		out[i] = text + ": what it does is not computed"
	}
	return out
}

// programText names a program with its object and line: "a Lua program of EnvoyExtensionPolicy shop/lua (lua.yaml:9)".
func programText(p *effective.Program) string {
	object, at := p.Source()
	if object == nil {
		return fmt.Sprintf("%s of %s", p.Is, p.Kind.Name())
	}
	return fmt.Sprintf("%s of %s %s (%s:%d)", p.Is, object.ID.Kind, path.Join(object.ID.Namespace, object.ID.Name), at.File, at.Line)
}
