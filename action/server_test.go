package action_test

import (
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// server is a GitHub of one's own on 127.0.0.1, as the real gh speaks to it: TLS, REST below /api/v3, GraphQL.
type server struct {
	*httptest.Server
	mutex sync.Mutex
	forge forge
	// certificate is the file that vouches for the server.
	certificate string
	// assets are the files of the release v1.2.3 of gwplan/gwplan.
	assets map[string][]byte
}

func serve(t *testing.T) *server {
	t.Helper()
	s := &server{forge: forge{Viewer: "github-actions[bot]"}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/graphql", s.answer(s.graphql))
	mux.HandleFunc("POST /api/v3/repos/evil-genius/cupcakes/issues/7/comments", s.answer(s.create))
	mux.HandleFunc("GET /api/v3/repos/gwplan/gwplan/releases/tags/v1.2.3", s.release)
	mux.HandleFunc("GET /api/v3/assets/{name}", func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write(s.assets[r.PathValue("name")])
	})
	s.Server = httptest.NewTLSServer(mux)
	t.Cleanup(s.Close)
	s.certificate = filepath.Join(t.TempDir(), "ca.pem")
	write(t, s.certificate, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})))
	return s
}

// answer lets the failures go first, and takes no call without the token.
func (s *server) answer(handle func(map[string]any) (int, any)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		s.mutex.Lock()
		defer s.mutex.Unlock()
		if r.Header.Get("Authorization") != "token t0ken" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		var request map[string]any
		if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		on := "write"
		if strings.Contains(fmt.Sprint(request["query"]), "comments(first") {
			on = "list"
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("X-Ratelimit-Remaining", "4999")
		if waiting := s.forge.Failures; len(waiting) > 0 && (waiting[0].On == on || waiting[0].On == "any") {
			failed := waiting[0]
			s.forge.Failures = waiting[1:]
			for _, header := range failed.Headers {
				name, value, _ := strings.Cut(header, ": ")
				w.Header().Set(name, value)
			}
			w.WriteHeader(failed.Status)
			_, _ = w.Write([]byte(failed.Body))
			return
		}
		status, body := handle(request)
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(body)
	}
}

func (s *server) graphql(request map[string]any) (int, any) {
	variables, _ := request["variables"].(map[string]any)
	if strings.Contains(fmt.Sprint(request["query"]), "comments(first") {
		return http.StatusOK, s.forge.page(variables)
	}
	// gh also asks for a draft of the release.
	if strings.Contains(fmt.Sprint(request["query"]), "release(tagName") {
		return http.StatusOK, map[string]any{"data": map[string]any{"repository": map[string]any{"release": nil}}}
	}
	if text, ok := variables["body"].(string); ok && s.forge.Longest > 0 && len(text) > s.forge.Longest {
		return http.StatusOK, map[string]any{"errors": []any{map[string]any{"type": "UNPROCESSABLE", "message": "Body is too long (maximum is 65536 characters)"}}}
	}
	if err := s.forge.change(request); err != nil {
		return http.StatusOK, map[string]any{"errors": []any{map[string]any{"type": "NOT_FOUND", "message": err.Error()}}}
	}
	return http.StatusOK, map[string]any{"data": map[string]any{}}
}

func (s *server) create(request map[string]any) (int, any) {
	if text := fmt.Sprint(request["body"]); s.forge.Longest > 0 && len(text) > s.forge.Longest {
		return http.StatusUnprocessableEntity, map[string]any{"message": "Validation Failed"}
	}
	return http.StatusCreated, map[string]any{"html_url": s.forge.add(fmt.Sprint(request["body"])).URL}
}

func (s *server) release(w http.ResponseWriter, _ *http.Request) {
	assets := []any{}
	for name := range s.assets {
		assets = append(assets, map[string]any{"name": name, "url": s.URL + "/api/v3/assets/" + name, "state": "uploaded"})
	}
	if len(assets) == 0 {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"tag_name": "v1.2.3", "assets": assets})
}

// real is the environment in which the scripts use the real gh and reach the server, nil where there is no gh.
func (s *server) real(t *testing.T) map[string]string {
	t.Helper()
	if realGH == "" {
		t.Log("NOT RUN: there is no gh on PATH; install the package gh")
		return nil
	}
	dir := t.TempDir()
	if err := os.Symlink(realGH, filepath.Join(dir, "gh")); err != nil {
		t.Fatal(err)
	}
	return map[string]string{
		"PATH":              dir + string(os.PathListSeparator) + os.Getenv("PATH"),
		"GITHUB_SERVER_URL": s.URL, "SSL_CERT_FILE": s.certificate, "GIT_SSL_CAINFO": s.certificate,
		"GH_TOKEN": "t0ken", "GH_NO_UPDATE_NOTIFIER": "1",
	}
}
