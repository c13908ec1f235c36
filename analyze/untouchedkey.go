package analyze

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"maps"
	"slices"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// key identifies all that the analysis of the environment depends on, except for the program and the kinds of the
// configuration. It returns false if results are not kept, or if the environment holds what no key covers.
func (s *untouched) key() (key [32]byte, ok bool) {
	o, env, t := s.Options, s.pair.Base, s.table
	if o.Results == nil || len(env.Duplicates)+len(env.Rejected)+len(env.Mended)+len(env.Unknown)+len(t.Suspects) > 0 {
		return key, false
	}
	rest := *env
	rest.Objects, rest.Workloads = nil, nil
	settings := struct {
		Complete        bool
		NamespaceLabels map[string]map[string]string
		External        []loader.ID
		Controllers     map[string]string
		Ages            []string
		Severity        map[string]plan.Severity
		Owners          map[string][]string
		Skipped, Unread []string
		Kinds           []any
		Environment     loader.Environment
	}{
		Complete: o.Complete, NamespaceLabels: o.NamespaceLabels, Controllers: o.Controllers, Severity: o.Rules.Severity, Owners: o.Rules.Owners,
		External: slices.SortedFunc(maps.Keys(o.External), loader.ID.Compare), Skipped: slices.Sorted(maps.Keys(s.base.Skipped)),
		Unread: slices.Sorted(maps.Keys(s.unread[0])), Environment: rest,
	}
	for _, id := range slices.SortedFunc(maps.Keys(o.Ages), loader.ID.Compare) {
		settings.Ages = append(settings.Ages, id.String()+" "+id.Group+" "+o.Ages[id].UTC().String())
	}
	for _, k := range t.Kinds() {
		if k.Assumed() { // the others are those of the program and of the configuration
			settings.Kinds = append(settings.Kinds, k.Entry)
		}
	}
	text, err := json.Marshal(settings)
	if err != nil {
		return key, false
	}
	w := inputWriter{roots: o.rootDigests}
	w.text(string(text))
	for _, list := range [][]*loader.Object{env.Objects, env.Workloads} {
		w.number(len(list))
		for _, object := range list {
			w.object(object)
		}
	}
	return sha256.Sum256(w.buf.Bytes()), true
}

// inputWriter writes the objects of an environment with all their places, every text after its length.
type inputWriter struct {
	buf bytes.Buffer
	// roots are the digests of contents: many environments share them.
	roots map[*loader.Value][32]byte
}

func (w *inputWriter) number(n int) {
	w.buf.Write(binary.AppendUvarint(w.buf.AvailableBuffer(), uint64(n)))
}

func (w *inputWriter) text(s string) {
	w.number(len(s))
	w.buf.WriteString(s)
}

func (w *inputWriter) texts(list ...string) {
	w.number(len(list))
	for _, s := range list {
		w.text(s)
	}
}

func (w *inputWriter) id(id loader.ID) { w.texts(id.Group, id.Kind, id.Namespace, id.Name) }

func (w *inputWriter) position(p loader.Position) {
	w.text(p.File)
	w.number(p.Line)
	w.number(p.Column)
}

func (w *inputWriter) positions(list []loader.Position) {
	w.number(len(list))
	for _, p := range list {
		w.position(p)
	}
}

func (w *inputWriter) flags(list ...bool) {
	n := 0
	for _, f := range list {
		n <<= 1
		if f {
			n++
		}
	}
	w.number(n)
}

func (w *inputWriter) object(o *loader.Object) {
	w.id(o.ID)
	w.texts(o.Version, o.Origin, o.Frozen)
	w.texts(o.Files...)
	w.positions(o.Listed)
	w.positions(o.Inputs)
	w.id(o.GeneratedBy)
	w.flags(o.NamespaceAssumed, o.Context)
	w.deployer(o.Deployer)
	digest, known := w.roots[o.Root]
	if !known {
		var content inputWriter
		content.value(o.Root)
		digest = sha256.Sum256(content.buf.Bytes())
		w.roots[o.Root] = digest
	}
	w.buf.Write(digest[:])
}

func (w *inputWriter) deployer(d *loader.Deployer) {
	for ; d != nil; d = d.Parent {
		w.id(d.ID)
		w.position(d.At)
		w.flags(true, d.Suspended, d.Manual, d.Keeps, d.Stays, d.Asked, d.Orphans, d.Deletes, d.CreatesOnly)
		w.buf.Write(d.Content[:])
		w.number(len(d.Left))
		for _, l := range d.Left {
			w.texts(l.Group, l.Kind, l.Namespace, l.Name)
			w.number(len(l.Paths))
			for _, path := range l.Paths {
				w.number(len(path))
				w.texts(path...)
			}
		}
		w.text(d.Namespace)
		w.number(len(d.Labels))
		for _, key := range slices.Sorted(maps.Keys(d.Labels)) {
			w.texts(key, d.Labels[key])
		}
		w.flags(d.Chart != nil)
		if d.Chart != nil {
			w.texts(d.Chart.Dir, d.Chart.Version)
			w.buf.Write(d.Chart.Template[:])
			w.buf.Write(d.Chart.Content[:])
		}
	}
	w.flags(false)
}

func (w *inputWriter) value(v *loader.Value) {
	if v == nil {
		w.flags(false)
		return
	}
	w.flags(true, v.Defaulted, v.Opaque, v.Blank, v.Word)
	w.number(int(v.Shape))
	w.number(int(v.Mark.File))
	w.number(int(v.Mark.Line))
	w.number(int(v.Mark.Column))
	w.text(v.Text)
	w.number(cmp.Or(len(v.Fields), len(v.Items)))
	for _, f := range v.Fields {
		w.text(f.Key)
		w.value(f.Value)
	}
	for _, item := range v.Items {
		w.value(item)
	}
}
