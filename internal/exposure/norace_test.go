//go:build !race

package exposure_test

const underRace = false
