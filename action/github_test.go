package action_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// forge is the pull request that gh talks to, kept in a file between calls.
type forge struct {
	// Viewer is the login of the token's user.
	Viewer   string    `json:"viewer"`
	Comments []comment `json:"comments"`
	// Refusal is what gh prints where the token may not write.
	Refusal string `json:"refusal"`
	// Calls are the writes, in order.
	Calls []string `json:"calls"`
	// Host and Token are those that gh was told to use.
	Host  string `json:"host"`
	Token string `json:"token"`
}

type comment struct {
	ID          string `json:"id"`
	URL         string `json:"url"`
	Body        string `json:"body"`
	IsMinimized bool   `json:"isMinimized"`
	Author      author `json:"author"`
}

type author struct {
	Type  string `json:"__typename"`
	Login string `json:"login"`
}

// pageSize is small, so that the tests have several pages.
const pageSize = 2

// gh is the part of `gh api` that the Action uses.
func gh(args []string) int {
	path := os.Getenv("FAKE_FORGE")
	f, err := loadForge(path)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 64
	}
	f.Host, f.Token = os.Getenv("GH_HOST"), os.Getenv("GH_TOKEN")
	code := f.api(args)
	if err := f.save(path); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 64
	}
	return code
}

func (f *forge) api(args []string) int {
	request := map[string]any{}
	if i := slices.Index(args, "--input"); i > 0 {
		data, err := os.ReadFile(args[i+1])
		if err == nil {
			err = json.Unmarshal(data, &request)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 64
		}
	}
	line := strings.Join(args, " ")
	switch {
	case strings.HasPrefix(line, "api graphql --paginate -f query="):
		return f.list(args)
	case f.Refusal != "":
		fmt.Fprintln(os.Stderr, f.Refusal)
		return 1
	case strings.HasPrefix(line, "api graphql --input "):
		return f.mutate(request)
	case strings.HasPrefix(line, "api --method POST repos/evil-genius/cupcakes/issues/7/comments --input "):
		return f.create(request)
	}
	fmt.Fprintln(os.Stderr, "gh: no such call:", line)
	return 64
}

// list prints one document a page, as --paginate does.
func (f *forge) list(args []string) int {
	for _, want := range []string{"number=7", "owner=evil-genius", "name=cupcakes"} {
		if !slices.Contains(args, want) {
			fmt.Fprintln(os.Stderr, "gh: missing", want)
			return 64
		}
	}
	for page := range slices.Chunk(append(slices.Clone(f.Comments), comment{Author: author{Type: "User", Login: "last"}}), pageSize) {
		document := map[string]any{"data": map[string]any{
			"viewer":     map[string]any{"login": f.Viewer},
			"repository": map[string]any{"pullRequest": map[string]any{"comments": map[string]any{"nodes": page}}},
		}}
		if err := json.NewEncoder(os.Stdout).Encode(document); err != nil {
			return 64
		}
	}
	return 0
}

func (f *forge) mutate(request map[string]any) int {
	variables, _ := request["variables"].(map[string]any)
	query := fmt.Sprint(request["query"])
	i := slices.IndexFunc(f.Comments, func(c comment) bool { return c.ID == variables["id"] })
	if i < 0 {
		fmt.Fprintln(os.Stderr, "gh: Could not resolve to a node")
		return 1
	}
	switch {
	case strings.Contains(query, "updateIssueComment"):
		f.Calls = append(f.Calls, "update "+f.Comments[i].ID)
		f.Comments[i].Body = fmt.Sprint(variables["body"])
	case strings.Contains(query, "deleteIssueComment"):
		f.Calls = append(f.Calls, "delete "+f.Comments[i].ID)
		f.Comments = slices.Delete(f.Comments, i, i+1)
	case strings.Contains(query, "minimizeComment"):
		f.Calls = append(f.Calls, "hide "+f.Comments[i].ID)
		f.Comments[i].IsMinimized = true
	default:
		fmt.Fprintln(os.Stderr, "gh: no such mutation")
		return 1
	}
	fmt.Println(`{"data":{}}`)
	return 0
}

func (f *forge) create(request map[string]any) int {
	c := bot("new", fmt.Sprint(request["body"]))
	f.Comments = append(f.Comments, c)
	f.Calls = append(f.Calls, "create")
	fmt.Printf(`{"html_url":%q}`+"\n", c.URL)
	return 0
}

// bot is a comment of the workflow's token.
func bot(id, body string) comment {
	return comment{ID: id, URL: "https://github.com/c/" + id, Body: body, Author: author{Type: "Bot", Login: "github-actions"}}
}

func loadForge(path string) (*forge, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	f := &forge{}
	return f, json.Unmarshal(data, f)
}

func (f *forge) save(path string) error {
	data, err := json.Marshal(f)
	if err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}

// open puts the forge where gh finds it.
func (f *forge) open(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "forge.json")
	if err := f.save(path); err != nil {
		t.Fatal(err)
	}
	return path
}
