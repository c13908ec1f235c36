// Package conformance runs the conformance suite of Gateway API against gwplan. The suite speaks to an API server and
// to Gateways; here both are stand-ins that know nothing of Gateway API themselves: what objects get as their .status
// is what `gwplan status` prints, and what becomes of a request is what `gwplan trace` says. It is a module of its own,
// so that the suite's dependencies are none of gwplan's.
//
// The Gateways listen at addresses of the loopback network, 127.0.0.0/8, at the ports of their listeners. That takes
// Linux, and the permission to use ports below 1024: root, or net.ipv4.ip_unprivileged_port_start=0.
//
// In this folder, go test runs everything and prints a line for each profile; -update rewrites report.yaml.
package conformance
