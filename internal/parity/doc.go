// Package parity proves that loader/helm makes of charts what Helm makes of them: its
// tests render charts with both and compare the bytes. It is a module of its own, so that
// Helm's dependencies are none of gwplan's.
package parity
