package action_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// forge is the pull request that gh talks to, kept in a file between calls.
type forge struct {
	// Viewer is the login of the token's user.
	Viewer   string    `json:"viewer"`
	Comments []comment `json:"comments"`
	// Failures are the answers to the next calls, before the forge does what it is asked for.
	Failures []failure `json:"failures"`
	// Longest is the length of a text that is too long; 0 is no limit.
	Longest int `json:"longest"`
	// Calls are the writes, in order.
	Calls []string `json:"calls"`
	// Host and Token are those that gh was told to use.
	Host  string `json:"host"`
	Token string `json:"token"`
}

// failure is an answer of a server that fails.
type failure struct {
	// On is the call that fails: list, write or any.
	On      string   `json:"on"`
	Status  int      `json:"status"`
	Headers []string `json:"headers"`
	Body    string   `json:"body"`
	Said    string   `json:"said"`
	// Done says that the server did what it was asked for, nevertheless.
	Done bool `json:"done"`
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

// gh is the part of gh that the Action uses.
func gh(args []string) int {
	if args[0] == "release" || args[0] == "attestation" {
		return release(args)
	}
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
	query := fmt.Sprint(request["query"])
	on, act := "write", func() int { return f.mutate(request) }
	switch {
	case strings.HasPrefix(line, "api --include graphql --input ") && strings.Contains(query, "comments(first"):
		on, act = "list", func() int { return f.list(request) }
	case strings.HasPrefix(line, "api --include graphql --input "):
	case strings.HasPrefix(line, "api --include --method POST repos/evil-genius/cupcakes/issues/7/comments --input "):
		act = func() int { return f.create(request) }
	default:
		fmt.Fprintln(os.Stderr, "gh: no such call:", line)
		return 64
	}
	if len(f.Failures) > 0 && (f.Failures[0].On == "any" || f.Failures[0].On == on) {
		failed := f.Failures[0]
		f.Failures = f.Failures[1:]
		return f.fail(failed, act)
	}
	body := request["body"]
	if variables, _ := request["variables"].(map[string]any); variables["body"] != nil {
		body = variables["body"]
	}
	if text, ok := body.(string); ok && f.Longest > 0 && len(text) > f.Longest {
		return f.fail(failure{Status: 422, Body: `{"message":"Validation Failed"}`, Said: "gh: Validation Failed (HTTP 422)"}, nil)
	}
	fmt.Print("HTTP/2.0 200 OK\r\nContent-Type: application/json\r\nX-Ratelimit-Remaining: 4999\r\n\r\n")
	return act()
}

// fail answers as gh does where a server fails; a status of 0 is no answer at all.
func (f *forge) fail(failed failure, act func() int) int {
	if failed.Done {
		stdout := os.Stdout
		os.Stdout, _ = os.Open(os.DevNull)
		act()
		os.Stdout = stdout
	}
	if failed.Status > 0 {
		fmt.Printf("HTTP/2.0 %d Failed\r\n", failed.Status)
		for _, header := range failed.Headers {
			fmt.Print(header + "\r\n")
		}
		fmt.Print("\r\n" + failed.Body)
	}
	fmt.Fprintln(os.Stderr, failed.Said)
	return 1
}

// list prints one page of comments.
func (f *forge) list(request map[string]any) int {
	variables, _ := request["variables"].(map[string]any)
	if variables["number"] != 7.0 || variables["owner"] != "evil-genius" || variables["name"] != "cupcakes" {
		fmt.Fprintln(os.Stderr, "gh: no such pull request")
		return 1
	}
	if err := json.NewEncoder(os.Stdout).Encode(f.page(variables)); err != nil {
		return 64
	}
	return 0
}

// page is the answer to the query for comments.
func (f *forge) page(variables map[string]any) any {
	start := 0
	if cursor, ok := variables["endCursor"].(string); ok {
		start, _ = strconv.Atoi(cursor)
	}
	all := append(slices.Clone(f.Comments), comment{Author: author{Type: "User", Login: "last"}})
	end := min(start+pageSize, len(all))
	return map[string]any{"data": map[string]any{
		"viewer": map[string]any{"login": f.Viewer},
		"repository": map[string]any{"pullRequest": map[string]any{"comments": map[string]any{
			"nodes":    all[start:end],
			"pageInfo": map[string]any{"hasNextPage": end < len(all), "endCursor": strconv.Itoa(end)},
		}}},
	}}
}

func (f *forge) mutate(request map[string]any) int {
	if err := f.change(request); err != nil {
		fmt.Fprintln(os.Stderr, "gh:", err)
		return 1
	}
	fmt.Println(`{"data":{}}`)
	return 0
}

// change obeys a mutation.
func (f *forge) change(request map[string]any) error {
	variables, _ := request["variables"].(map[string]any)
	query := fmt.Sprint(request["query"])
	i := slices.IndexFunc(f.Comments, func(c comment) bool { return c.ID == variables["id"] })
	if i < 0 {
		return errors.New("could not resolve to a node")
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
		return errors.New("no such mutation")
	}
	return nil
}

func (f *forge) create(request map[string]any) int {
	fmt.Printf(`{"html_url":%q}`+"\n", f.add(fmt.Sprint(request["body"])).URL)
	return 0
}

func (f *forge) add(body string) comment {
	c := bot("new", body)
	f.Comments = append(f.Comments, c)
	f.Calls = append(f.Calls, "create")
	return c
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
