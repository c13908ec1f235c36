package loader

// Control is an object that tells a deployer what to apply, such as a Kustomization of Flux or an Application of Argo
// CD, with those of its settings whose effect is not followed: if one of them changes, something else may be applied,
// or nothing at all.
type Control struct {
	ID ID
	// What names it in messages, as gaps do: "Flux Kustomization apps".
	What     string
	At       Position
	Settings []Setting
}

// Setting is one setting of a Control.
type Setting struct {
	// Field is the path of the setting, such as spec.kubeConfig.
	Field   string
	At      Position
	Content [16]byte
	// Loss is true if only its going matters.
	Loss bool
}
