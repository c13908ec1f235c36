package loader

import "slices"

// Control is an object that tells a deployer what to apply, such as a Kustomization of Flux or an Application of Argo
// CD, with those of its settings whose effect is not followed: if one of them changes, something else may be applied,
// or nothing at all.
type Control struct {
	ID ID
	// What names it in messages, as gaps do: "Flux Kustomization apps".
	What     string
	At       Position
	Settings []Setting
	// Uses are the variables that files of the revision use, sorted. Controls share the list.
	Uses []string
}

// Setting is one setting of a Control.
type Setting struct {
	// Field is the path of the setting, such as kubeConfig; empty where the folder or the whole object is wrong.
	Field string
	// Words name the setting in reports: "valuesFrom (Secret token)". Settings with equal words are one.
	Words   string
	At      Position
	Content [16]byte
	// Variable is the name of the variable that a setting gives a value, or "". Only that it goes matters, and only where
	// something uses it.
	Variable string
}

// UsesVariable reports whether a file of the revision uses a variable.
func (c Control) UsesVariable(name string) bool {
	_, found := slices.BinarySearch(c.Uses, name)
	return found
}
