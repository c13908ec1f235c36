package data

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
)

const (
	// wholeBelow is how many levels of maps and lists are divided into parts that are encoded one by one: a document, its
	// environments, one of them and each of its lists. To encode a large document at once takes several times its memory.
	wholeBelow = 4
	pieceSize  = 1 << 20
)

// pieces is JSON in pieces of about one size, which need not be copied as it grows.
type pieces struct {
	full [][]byte
	last []byte
}

func (p *pieces) text(s string) {
	if len(p.last)+len(s) > pieceSize && len(p.last) > 0 {
		p.full, p.last = append(p.full, p.last), make([]byte, 0, max(pieceSize, len(s)))
	}
	p.last = append(p.last, s...)
}

// add encodes a value, whose lines but the first begin with an indent.
func (p *pieces) add(v reflect.Value, indent string, levels int) error {
	for v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	}
	below := indent + "  "
	switch {
	case levels > 0 && v.Kind() == reflect.Struct && plain(v.Type()):
		separator := "{\n"
		for i := range v.NumField() {
			name, optional := named(v.Type().Field(i))
			if !v.Type().Field(i).IsExported() || optional && empty(v.Field(i)) {
				continue
			}
			p.text(separator + below + `"` + name + `": `)
			if err := p.add(v.Field(i), below, levels-1); err != nil {
				return err
			}
			separator = ",\n"
		}
		if separator == "{\n" {
			p.text("{}")
			return nil
		}
		p.text("\n" + indent + "}")
	case levels > 0 && v.Kind() == reflect.Slice && v.Len() > 0 && v.Type().Elem().Kind() != reflect.Uint8:
		separator := "[\n"
		for i := range v.Len() {
			p.text(separator + below)
			if err := p.add(v.Index(i), below, levels-1); err != nil {
				return err
			}
			separator = ",\n"
		}
		p.text("\n" + indent + "]")
	default:
		return p.whole(v, indent)
	}
	return nil
}

// whole encodes a value at once.
func (p *pieces) whole(v reflect.Value, indent string) error {
	if !v.IsValid() {
		p.text("null")
		return nil
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent(indent, "  ")
	if err := enc.Encode(filled(v).Interface()); err != nil {
		return err
	}
	p.text(escapeHidden(strings.TrimSuffix(b.String(), "\n")))
	return nil
}

// plain reports whether the fields of a struct are written as they are: each under a name of its own.
func plain(t reflect.Type) bool {
	for i := range t.NumField() {
		f := t.Field(i)
		_, option, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous || option != "" && option != "omitempty" || f.IsExported() && f.Tag.Get("json") == "-" {
			return false
		}
	}
	return true
}

// named returns the name of a field in JSON, and whether it is left out where it is empty.
func named(f reflect.StructField) (name string, optional bool) {
	name, option, _ := strings.Cut(f.Tag.Get("json"), ",")
	if name == "" {
		name = f.Name
	}
	return name, option == "omitempty"
}

// empty reports whether encoding/json takes a value for an empty one.
func empty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map, reflect.String, reflect.Array:
		return v.Len() == 0
	case reflect.Struct:
		return false
	default:
		return v.IsZero()
	}
}
