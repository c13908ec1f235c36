//go:build race

package main

// underRace says that the tests were built with the race detector, which makes them ten times
// as slow: what only repeats itself runs in part then.
const underRace = true
