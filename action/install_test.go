package action_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// releases is what gh knows of the release v1.2.3, kept in a file between calls.
type releases struct {
	Assets map[string][]byte `json:"assets"`
	// Attested says that the attestation holds, Old that gh does not know how to ask.
	Attested bool `json:"attested"`
	Old      bool `json:"old"`
	// Down is how often the server fails before it answers.
	Down int `json:"down"`
	// Verified are the arguments of the verification.
	Verified []string `json:"verified"`
}

// release is the part of `gh release` and `gh attestation` that the Action uses.
func release(args []string) int {
	path := os.Getenv("FAKE_RELEASE")
	data, err := os.ReadFile(path)
	var r releases
	if err == nil {
		err = json.Unmarshal(data, &r)
	}
	if err == nil {
		err = r.answer(args)
		data, _ = json.Marshal(r)
		err = errors.Join(err, os.WriteFile(path, data, 0o644))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func (r *releases) answer(args []string) error {
	switch {
	case args[0] == "attestation" && args[2] == "--help":
		if r.Old {
			return errors.New(`unknown command "attestation" for "gh"`)
		}
		fmt.Println("--source-digest string")
		return nil
	case args[0] == "attestation":
		r.Verified = args
		if !r.Attested {
			return errors.New("Error: verifying with issuer \"sigstore.dev\"")
		}
		return nil
	case r.Down > 0:
		r.Down--
		return errors.New("HTTP 502: Bad Gateway")
	case len(r.Assets) == 0 || args[2] != "v1.2.3":
		return errors.New("release not found")
	}
	dir := args[slices.Index(args, "--dir")+1]
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for i, arg := range args {
		if data, found := r.Assets[arg]; found && args[i-1] == "--pattern" {
			if err := os.WriteFile(filepath.Join(dir, arg), data, 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

const archive = "gwplan_1.2.3_linux_amd64.tar.gz"

// assets are those of a release in which gwplan is a script.
func assets(t *testing.T) map[string][]byte {
	t.Helper()
	var out bytes.Buffer
	zipped := gzip.NewWriter(&out)
	packed := tar.NewWriter(zipped)
	for name, text := range map[string]string{"LICENSE": "", "gwplan": "#!/bin/sh\necho gwplan v1.2.3\n"} {
		if err := packed.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: int64(len(text))}); err != nil {
			t.Fatal(err)
		}
		if _, err := packed.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(packed.Close(), zipped.Close()); err != nil {
		t.Fatal(err)
	}
	return map[string][]byte{
		archive:         out.Bytes(),
		"checksums.txt": fmt.Appendf(nil, "%064d  other.tar.gz\n%x  %s\n", 0, sha256.Sum256(out.Bytes()), archive),
	}
}

// actionUpstream is the repository of the Action: v1.2.3 is annotated, v1 and main are at the same commit.
func actionUpstream(t *testing.T) (root, commit string) {
	t.Helper()
	root = t.TempDir()
	c := clone{dir: filepath.Join(root, "gwplan", "gwplan")}
	if err := os.MkdirAll(c.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	c.git(t, "init", "-q", "-b", "main")
	c.git(t, "commit", "-q", "--allow-empty", "-m", "first")
	c.git(t, "branch", "older")
	c.git(t, "commit", "-q", "--allow-empty", "-m", "second")
	c.git(t, "tag", "-a", "-m", "release", "v1.2.3")
	c.git(t, "tag", "v1")
	return root, c.git(t, "rev-parse", "HEAD")
}

func TestInstall(t *testing.T) {
	root, commit := actionUpstream(t)
	good := assets(t)
	without := func(name string) map[string][]byte {
		rest := maps.Clone(good)
		delete(rest, name)
		return rest
	}
	with := func(name, text string) map[string][]byte {
		rest := maps.Clone(good)
		rest[name] = []byte(text)
		return rest
	}
	const (
		released = "released"
		source   = "source"
		refused  = "refused"
	)
	for name, tt := range map[string]struct {
		releases releases
		env      map[string]string
		// auto and binary are what becomes of the step under either input.
		auto, binary string
		why          string
	}{
		"a tag":              {releases: releases{Assets: good, Attested: true}, auto: released, binary: released},
		"a commit":           {releases: releases{Assets: good, Attested: true}, env: map[string]string{"GWPLAN_REF": commit}, auto: released, binary: released},
		"a major version":    {releases: releases{Assets: good, Attested: true}, env: map[string]string{"GWPLAN_REF": "v1"}, auto: released, binary: released},
		"a branch with it":   {releases: releases{Assets: good, Attested: true}, env: map[string]string{"GWPLAN_REF": "main"}, auto: released, binary: released},
		"an outage":          {releases: releases{Assets: good, Attested: true, Down: 2}, auto: released, binary: released},
		"an outage for long": {releases: releases{Assets: good, Attested: true, Down: 9}, auto: source, binary: refused, why: "gave no " + archive},
		"a branch":           {releases: releases{Assets: good, Attested: true}, env: map[string]string{"GWPLAN_REF": "older"}, auto: source, binary: refused, why: "older is no released version"},
		"no ref":             {releases: releases{Assets: good, Attested: true}, env: map[string]string{"GWPLAN_REF": ""}, auto: source, binary: refused, why: "not known"},
		"hostile ref": {
			releases: releases{Assets: good, Attested: true}, env: map[string]string{"GWPLAN_REF": "--upload-pack=x"}, auto: source, binary: refused, why: "not known",
		},
		"no such repository": {
			releases: releases{Assets: good, Attested: true}, env: map[string]string{"GWPLAN_REPOSITORY": "a/b"}, auto: source, binary: refused, why: "cannot be listed",
		},
		"no release": {releases: releases{}, auto: source, binary: refused, why: "release v1.2.3 of gwplan/gwplan gave no"},
		"no asset":   {releases: releases{Assets: without(archive), Attested: true}, auto: source, binary: refused, why: "gave no " + archive},
		"another architecture": {
			releases: releases{Assets: good, Attested: true}, env: map[string]string{"RUNNER_ARCH": "ARM64"}, auto: source, binary: refused, why: "gave no gwplan_1.2.3_linux_arm64.tar.gz",
		},
		"an unknown architecture": {
			releases: releases{Assets: good, Attested: true}, env: map[string]string{"RUNNER_ARCH": "ARM"}, auto: source, binary: refused, why: "no releases for Linux on ARM",
		},
		"an old gh":        {releases: releases{Assets: good, Old: true}, auto: source, binary: refused, why: "too old"},
		"no checksums":     {releases: releases{Assets: without("checksums.txt"), Attested: true}, auto: refused, binary: refused, why: "checksum"},
		"none of it":       {releases: releases{Assets: with("checksums.txt", "x\n"), Attested: true}, auto: refused, binary: refused, why: "checksum"},
		"another checksum": {releases: releases{Assets: with(archive, "evil"), Attested: true}, auto: refused, binary: refused, why: "checksum"},
		"no attestation":   {releases: releases{Assets: good}, auto: refused, binary: refused, why: "attestation"},
	} {
		for _, input := range []string{"auto", "binary"} {
			t.Run(name+", "+input, func(t *testing.T) {
				t.Parallel()
				out, temp, after := install(t, root, tt.releases, input, tt.env)
				want := map[string]string{"auto": tt.auto, "binary": tt.binary}[input]
				program := filepath.Join(temp, "gwplan-bin", "gwplan")
				_, err := os.Stat(program)
				switch want {
				case released:
					version, err := exec.Command(program, "version").Output()
					if err != nil || string(version) != "gwplan v1.2.3\n" {
						t.Errorf("gwplan says %q: %v", version, err)
					}
					verified := strings.Join(after.Verified[3:], " ")
					if verified != "--repo gwplan/gwplan --signer-workflow gwplan/gwplan/.github/workflows/release.yml --source-ref refs/tags/v1.2.3 --source-digest "+commit+" --deny-self-hosted-runners" {
						t.Errorf("verified by %s", verified)
					}
					if out.outputs["source"] != "false" || out.outputs["binary"] != program {
						t.Errorf("outputs %q", out.outputs)
					}
				case source:
					if err == nil || out.code != 0 || out.outputs["source"] != "true" || out.outputs["binary"] != program || !strings.Contains(out.log, tt.why) {
						t.Errorf("exit %d, outputs %q\n%s", out.code, out.outputs, out.log)
					}
				case refused:
					obeyed := commands(out.log)
					if err == nil || out.code == 0 || len(out.outputs) > 0 || len(obeyed) != 1 || !strings.HasPrefix(obeyed[0], "::error ") || !strings.Contains(obeyed[0], tt.why) {
						t.Errorf("exit %d, outputs %q, want %q in\n%s", out.code, out.outputs, tt.why, out.log)
					}
				}
			})
		}
	}
}

// install runs the step on a runner of Linux on amd64 for the tag v1.2.3.
func install(t *testing.T, root string, r releases, input string, env map[string]string) (outcome, string, releases) {
	t.Helper()
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	temp := t.TempDir()
	path := filepath.Join(temp, "release.json")
	write(t, path, string(data))
	all := map[string]string{
		"FAKE_RELEASE": path, "GH_TOKEN": "t0ken", "GWPLAN_INSTALL": input, "GWPLAN_REF": "v1.2.3", "GWPLAN_REPOSITORY": "gwplan/gwplan",
		"RUNNER_OS": "Linux", "RUNNER_ARCH": "X64", "GITHUB_SERVER_URL": "file://" + root, "RUNNER_TEMP": temp, "GITHUB_OUTPUT": filepath.Join(temp, "output"),
	}
	maps.Copy(all, env)
	out := step{script: "install.sh", env: all}.run(t)
	var after releases
	if err := json.Unmarshal([]byte(read(t, path)), &after); err != nil {
		t.Fatal(err)
	}
	return out, temp, after
}

// The other two values ask nobody, and anything else is refused.
func TestInstallAsksNobody(t *testing.T) {
	for input, want := range map[string][2]string{"none": {"gwplan", "false"}, "source": {"/gwplan-bin/gwplan", "true"}, "latest": {}, "": {}} {
		out, temp, _ := install(t, "/nowhere", releases{}, input, map[string]string{"PATH": "/usr/bin:/bin", "GITHUB_SERVER_URL": "https://127.0.0.1:1"})
		got := [2]string{strings.TrimPrefix(out.outputs["binary"], temp), out.outputs["source"]}
		if got != want || (out.code == 0) != (want[0] != "") {
			t.Errorf("%q: exit %d, outputs %q\n%s", input, out.code, out.outputs, out.log)
		}
	}
}

// The real gh finds the release and brings it; only its attestation is taken for granted, which needs GitHub.
func TestInstallReal(t *testing.T) {
	s := serve(t)
	env := s.real(t)
	if env == nil {
		return
	}
	s.assets = assets(t)
	root, _ := actionUpstream(t)
	dir := t.TempDir()
	wrapper := "#!/bin/sh\n[ \"$1\" != attestation ] || { echo --source-digest; exit 0; }\nexec '" + realGH + "' \"$@\"\n"
	if err := os.WriteFile(filepath.Join(dir, "gh"), []byte(wrapper), 0o755); err != nil {
		t.Fatal(err)
	}
	maps.Copy(env, map[string]string{
		"PATH":             dir + string(os.PathListSeparator) + os.Getenv("PATH"),
		"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "url.file://" + root + "/.insteadOf", "GIT_CONFIG_VALUE_0": s.URL + "/",
	})
	out, temp, _ := install(t, root, releases{}, "binary", env)
	if _, err := os.Stat(filepath.Join(temp, "gwplan-bin", "gwplan")); err != nil || out.code != 0 || out.outputs["source"] != "false" {
		t.Errorf("exit %d, outputs %q: %v\n%s", out.code, out.outputs, err, out.log)
	}
	s.assets = nil
	out, _, _ = install(t, root, releases{}, "auto", env)
	if out.code != 0 || out.outputs["source"] != "true" || !strings.Contains(out.log, "release v1.2.3 of gwplan/gwplan gave no") {
		t.Errorf("without a release: exit %d, outputs %q\n%s", out.code, out.outputs, out.log)
	}
	if strings.Contains(out.log, "t0ken") {
		t.Errorf("the log holds the token:\n%s", out.log)
	}
}

// The caches belong to a platform, to dependencies and to a ref, and are those that the build uses.
func TestCaches(t *testing.T) {
	keys := map[string]bool{}
	for _, tt := range []struct{ ref, system, sum string }{
		{"v1.2.3", "Linux", "a"}, {"v1.2.4", "Linux", "a"}, {"v1.2.3", "macOS", "a"}, {"v1.2.3", "Linux", "b"}, {"", "Linux", "a"}, {"x/y,z\n", "Linux", "a"},
	} {
		dir := t.TempDir()
		write(t, filepath.Join(dir, "go.mod"), "module x\n")
		write(t, filepath.Join(dir, "go.sum"), tt.sum)
		out := step{script: "caches.sh", dir: dir, env: map[string]string{"GWPLAN_REF": tt.ref, "RUNNER_OS": tt.system, "RUNNER_ARCH": "X64"}}.run(t)
		key := out.outputs["key"]
		if out.code != 0 || keys[key] || !strings.HasPrefix(key, out.outputs["prefix"]) || strings.ContainsAny(key, ",\n/") {
			t.Errorf("%+v: exit %d, key %q of several, prefix %q\n%s", tt, out.code, key, out.outputs["prefix"], out.log)
		}
		keys[key] = true
		folder := strings.Split(out.outputs["folder"], "/")
		if name := folder[len(folder)-1]; !strings.Contains(read(t, "build.sh"), "GOCACHE=$RUNNER_TEMP/"+name+"/") {
			t.Errorf("the build does not use %s", name)
		}
	}
}

// The build knows the ref that is pinned, and takes nothing for one that is none.
func TestBuild(t *testing.T) {
	for ref, want := range map[string]string{"v1.2.3": "-s -w -X main.ref=v1.2.3", "": "-s -w", "x -extld=evil": "-s -w", "-x": "-s -w", "a'b": "-s -w"} {
		dir := t.TempDir()
		fake := "#!/bin/sh\nfor a in \"$@\"; do echo \"arg:$a\"; done; env\n"
		if err := os.WriteFile(filepath.Join(dir, "go"), []byte(fake), 0o755); err != nil {
			t.Fatal(err)
		}
		out := step{script: "build.sh", env: map[string]string{"GWPLAN_REF": ref, "PATH": dir + ":/usr/bin:/bin"}}.run(t)
		for _, line := range []string{"arg:" + want, "arg:-trimpath", "CGO_ENABLED=0", "GOWORK=off", "GOFLAGS=-mod=readonly -modcacherw"} {
			if !slices.Contains(strings.Split(out.log, "\n"), line) {
				t.Errorf("%q: no %q in\n%s", ref, line, out.log)
			}
		}
	}
}

// What is built from source says which ref it is.
func TestBuiltVersion(t *testing.T) {
	path := filepath.Join(t.TempDir(), "gwplan")
	if out, err := exec.Command("go", "build", "-ldflags", "-X main.ref=v1.2.3", "-buildvcs=false", "-o", path, "../cmd/gwplan").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if version, err := exec.Command(path, "version").Output(); err != nil || string(version) != "gwplan v1.2.3\n" {
		t.Errorf("version %q: %v", version, err)
	}
}
