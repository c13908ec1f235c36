package report

import (
	"io"
	"path/filepath"
	"reflect"

	"github.com/gwplan/gwplan/report/outline"
)

// nearby makes a writer name files as seen from the folder in which the reader is.
func nearby[D any](write func(io.Writer, *D, outline.Style) error) func(io.Writer, *D, outline.Style) error {
	return func(w io.Writer, doc *D, style outline.Style) error {
		if style.Folder == "" {
			return write(w, doc, style)
		}
		seen := from(style.Folder).value(reflect.ValueOf(*doc)).Interface().(D)
		return write(w, &seen, style)
	}
}

// from is a folder, relative to the root of the repository.
type from string

// file returns the path of a file of the repository as seen from the folder.
func (f from) file(name string) string {
	if name == "" || filepath.IsAbs(name) {
		return name
	}
	seen, err := filepath.Rel(string(f), name)
	if err != nil {
		return name
	}
	return filepath.ToSlash(seen)
}

// value returns a copy of a part of a document in which each field File is as seen from the folder.
func (f from) value(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.Struct:
		out := reflect.New(v.Type()).Elem()
		out.Set(v)
		for i := range v.NumField() {
			field := v.Type().Field(i)
			switch {
			case !field.IsExported():
			case field.Name == "File" && field.Type.Kind() == reflect.String:
				out.Field(i).SetString(f.file(v.Field(i).String()))
			default:
				out.Field(i).Set(f.value(v.Field(i)))
			}
		}
		return out
	case reflect.Pointer:
		if v.IsNil() {
			return v
		}
		out := reflect.New(v.Type().Elem())
		out.Elem().Set(f.value(v.Elem()))
		return out
	case reflect.Slice:
		if v.IsNil() {
			return v
		}
		out := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			out.Index(i).Set(f.value(v.Index(i)))
		}
		return out
	case reflect.Map:
		if v.IsNil() {
			return v
		}
		out := reflect.MakeMapWithSize(v.Type(), v.Len())
		for _, key := range v.MapKeys() {
			out.SetMapIndex(key, f.value(v.MapIndex(key)))
		}
		return out
	default:
		return v
	}
}
