package corpus

import (
	"bytes"
	"fmt"
	"maps"
	"path"
	"slices"
)

// Realistic returns a repository of about docs documents for several clusters: workloads,
// routes and policies of four projects. One app in five is a kustomize base with an overlay
// for each cluster. Two thirds of the documents do not affect a Gateway. after is the same
// tree with 1 % of its files changed.
func Realistic(docs int, seed int64) (before, after Files) {
	clusters := clusterCount(docs)
	apps := makeApps(int(float64(docs)/7.9)/clusters, seed)
	before = Files{}
	for i := range clusters {
		cluster := fmt.Sprintf("cluster-%02d", i)
		addCluster(before, cluster, apps)
		for _, a := range apps {
			a.addTo(before, cluster)
		}
	}
	for _, a := range apps {
		if a.kustomized {
			a.addBase(before)
		}
	}
	return before, edit(before, seed)
}

func clusterCount(docs int) int {
	switch {
	case docs <= 2_000:
		return 3
	case docs <= 20_000:
		return 10
	}
	return 20
}

// edit returns a copy in which one file in a hundred is changed.
func edit(before Files, seed int64) Files {
	var names []string
	for name := range before {
		if path.Base(name) != "kustomization.yaml" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	random(seed, "edit").Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })

	after := maps.Clone(before)
	for _, name := range names[:max(1, len(names)/100)] {
		after[name] = change(before[name])
	}
	return after
}

// change edits the most important field of a file: a weight, else a limit, else replicas.
// Without these it adds an annotation, which has no effect.
func change(content []byte) []byte {
	for _, key := range []string{" weight: ", " limit: ", " replicas: "} {
		if before, rest, found := bytes.Cut(content, []byte(key)); found {
			return slices.Concat(before, []byte(key), []byte("1"), rest)
		}
	}
	const key = "metadata:\n"
	before, rest, _ := bytes.Cut(content, []byte(key))
	return slices.Concat(before, []byte(key+"  annotations:\n    example.com/edited: \"true\"\n"), rest)
}
