package loader

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// TrafficAt returns the traffic keys on the changed lines of a file, and those around them
// according to the indentation. An object with a changed line counts as its kind if that is a
// route, a Gateway or a policy. It counts as its kind and a key if the kind is one of a controller
// and the key attaches it to traffic: it has a target, or it selects the proxies of a Gateway. So does
// one of a kind that is known to decide about traffic. The keys of an object of an unread kind come with its kind, as nothing else
// tells what they do. The work is proportional to the length of the text.
func TrafficAt(text []byte, changed func(line int) bool, bearing func(group, kind string) Bearing) []string {
	s := trafficScan{bearing: bearing}
	scanLines(text, s.end, func(number int, line string) {
		s.open = left(s.open, line)
		s.leaveObjects(line)
		if l, isKey := keyLine(line); isKey {
			s.enter(l)
		}
		s.inFlow(line)
		if changed(number) {
			s.change()
		}
	})
	slices.Sort(s.found)
	return slices.Compact(s.found)
}

// Bearing is what objects of a kind have to do with traffic.
type Bearing int

// The bearings of kinds.
const (
	// OtherwiseRead is a kind whose objects are read, or told of, elsewhere.
	OtherwiseRead Bearing = iota
	// Deciding is a kind that decides about traffic.
	Deciding
	// Unread is a kind of which nothing is known: it may decide about traffic.
	Unread
	// Describing is a kind that names a target and sets nothing there.
	Describing
)

// scanLines visits the lines of a file that are neither empty nor comments, with their numbers, and calls end after each document.
func scanLines(text []byte, end func(), visit func(number int, line string)) {
	for i, line := range strings.Split(string(text), "\n") {
		line = strings.TrimSuffix(line, "\r")
		if strings.HasPrefix(line, "---") {
			end()
			continue
		}
		if rest := strings.TrimLeft(line, " "); rest != "" && rest[0] != '#' {
			visit(i+1, line)
		}
	}
	end()
}

// left returns the keys that a line is still below, according to its indentation. The items of a list may have the same indentation
// as its key.
func left(open []openKey, line string) []openKey {
	rest := strings.TrimLeft(line, " ")
	indent, item := len(line)-len(rest), rest[0] == '-'
	for ; len(open) > 0; open = open[:len(open)-1] {
		if last := open[len(open)-1].indent; last < indent || item && last == indent {
			break
		}
	}
	return open
}

// trafficScan is a walk over the lines of a file.
type trafficScan struct {
	found []string
	// begins is the number of keys that were found before the current document.
	begins int
	// bearing is that of the objects of a kind.
	bearing func(group, kind string) Bearing
	trafficDocument
}

// trafficDocument is what the lines of one document have told so far.
type trafficDocument struct {
	// open are the keys around the current line, flow those in braces on it.
	open []openKey
	flow [][]string
	// touched is true if the change has a line of the document.
	touched bool
	// kind is that of a route, a Gateway or a policy, or "". written is the kind as written.
	kind, written string
	// schema is true for the definition of a kind.
	schema bool
	// group is that of the object. foreign is true for an API of a controller; selects is the key by which the object is attached to traffic.
	group   string
	foreign bool
	selects string
	// objects are those around the current line that a value holds whole, from the outermost on, and version is the apiVersion of
	// the next one.
	objects []heldObject
	version heldObject
	// held are the kinds of those with a changed line.
	held []string
	// beside is true if there are target references to other kinds than those of traffic, meant if there are some to
	// those of traffic.
	beside, meant bool
}

// end adds what a document as a whole counts as, and begins the next one.
func (s *trafficScan) end() {
	if strings.HasPrefix(s.selects, "targetRef") && s.beside && !s.meant && !strings.HasSuffix(s.written, "Policy") {
		s.selects = ""
	}
	bearing := s.bearing(s.group, s.written)
	switch {
	case s.schema || bearing == Describing:
		s.found = s.found[:s.begins] // a schema describes the fields of other objects
	case s.touched && s.foreign && s.selects != "":
		s.found = append(s.found, wordOf(s.written, s.selects))
	case s.touched && s.kind != "":
		s.found = append(s.found, s.kind)
	case s.touched && bearing == Deciding:
		s.found = append(s.found, s.written)
	case s.touched && s.foreign && bearing == Unread:
		for i, key := range s.found[s.begins:] {
			s.found[s.begins+i] = wordOf(s.written, key)
		}
	}
	if !s.schema && bearing != Describing && (s.written == "" || bearing != OtherwiseRead) {
		s.found = append(s.found, s.held...)
	}
	s.trafficDocument, s.begins = trafficDocument{}, len(s.found)
}

// enter opens the key of a line.
func (s *trafficScan) enter(l lineOfKey) {
	at := placeOf(s.open)
	s.open = append(s.open, openKey{indent: len(l.before), key: l.key, says: at.says(l.key), below: at.below(l.key)})
	ofDocument := len(s.open) == 1 && !strings.Contains(l.before, "-")
	if ofDocument && l.key == "kind" {
		s.written = strings.Trim(l.value, `"',`)
		s.kind, s.schema = trafficKind(s.written), s.written == "CustomResourceDefinition"
	}
	if ofDocument && l.key == "apiVersion" {
		s.group, _, _ = strings.Cut(strings.Trim(l.value, `"',`), "/")
		s.foreign = ofController(s.group)
	}
	if !ofDocument {
		s.enterObject(l)
	}
	s.selects = cmp.Or(s.selects, attaching(l.key, len(s.open) == 2 && s.open[0].key == "spec"))
	if of := targeted(s.open, l); of != "" {
		s.beside, s.meant = s.beside || !targetKind.MatchString(of), s.meant || targetKind.MatchString(of)
	}
}

// heldObject is an object inside a value, such as one of the extra objects of a chart: the indentation of its keys, and its kind or
// group.
type heldObject struct {
	indent int
	name   string
}

// leaveObjects forgets the objects that a line is no longer in.
func (s *trafficScan) leaveObjects(line string) {
	indent := len(line) - len(strings.TrimLeft(line, " "))
	s.objects = slices.DeleteFunc(s.objects, func(o heldObject) bool { return indent < o.indent })
	if indent < s.version.indent {
		s.version = heldObject{}
	}
}

// enterObject takes note of an object inside a value that decides about traffic: its apiVersion comes before its kind.
func (s *trafficScan) enterObject(l lineOfKey) {
	value, indent := strings.Trim(l.value, `"',`), len(l.before)
	switch {
	case l.key == "apiVersion":
		group, _, grouped := strings.Cut(value, "/")
		if s.version = (heldObject{}); grouped {
			s.version = heldObject{indent, group}
		}
	case l.key == "kind" && s.version.name != "" && s.version.indent == indent && (trafficKind(value) != "" || s.bearing(s.version.name, value) == Deciding):
		s.objects = append(s.objects, heldObject{indent, value})
	}
}

// inFlow finds the keys in braces on a line.
func (s *trafficScan) inFlow(line string) {
	s.flow = nil
	if strings.ContainsAny(line, "{,") {
		s.flow = flowKey.FindAllStringSubmatch(line, maxFlowKeys)
	}
	for _, key := range s.flow {
		s.selects = cmp.Or(s.selects, attaching(key[1], len(s.open) == 1 && s.open[0].key == "spec"))
	}
}

// change adds the keys of a changed line and those around it, up to one that sets what runs.
func (s *trafficScan) change() {
	s.touched = true
	for _, o := range s.objects {
		s.held = append(s.held, o.name)
	}
	for _, key := range s.flow {
		if says := placeOf(s.open).says(key[1]); says != "" {
			s.found = append(s.found, says)
		}
	}
	for j := len(s.open) - 1; j >= 0 && !s.open[j].told; j-- {
		s.open[j].told = true
		if s.open[j].says != "" {
			s.found = append(s.found, s.open[j].says)
		}
		if slices.Contains(besides, s.open[j].key) {
			return
		}
	}
}

// lineOfKey is a line of YAML or JSON with a key: the indentation and dashes before it, the key
// without quotes, and its value.
type lineOfKey struct{ before, key, value string }

// keyLine reads a line. It returns false if the line has no key.
func keyLine(line string) (l lineOfKey, ok bool) {
	blank := func(at int) bool { return at < len(line) && strings.IndexByte(" \t\f\r", line[at]) >= 0 }
	quote := func(at int) bool { return at < len(line) && (line[at] == '"' || line[at] == '\'') }
	at := 0
	skip := func() {
		for blank(at) {
			at++
		}
	}
	skip()
	for at < len(line) && line[at] == '-' && blank(at+1) {
		at++
		skip()
	}
	l.before = line[:at]
	quoted := quote(at)
	if quoted {
		at++
	}
	from := at
	for at < len(line) && isKeyByte(line[at]) {
		at++
	}
	l.key = line[from:at]
	if quote(at) {
		at++
	}
	skip()
	if l.key == "" || at == len(line) || line[at] != ':' {
		return l, false
	}
	at++
	if !quoted && at < len(line) && !blank(at) {
		return l, false // a name with a colon in it, such as that of an image
	}
	skip()
	l.value, _, _ = strings.Cut(line[at:], " #")
	l.value = strings.TrimRight(l.value, " ")
	return l, true
}

func isKeyByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("_./-", c) >= 0
}

// openKey is a key that contains the current line, by indentation.
type openKey struct {
	indent int
	key    string
	// says is the word about traffic. told is true if the key and those around it were already
	// reported.
	says string
	told bool
	// below is the context of the keys inside it.
	below under
}

// flowKey matches a key of a map in flow style. Only the first maxFlowKeys of a line count.
var flowKey = regexp.MustCompile(`[{,]\s*["']?([\w./-]+)["']?\s*:`)

const maxFlowKeys = 100

// placeOf returns the context of the next key.
func placeOf(open []openKey) under {
	if len(open) == 0 {
		return under{}
	}
	return open[len(open)-1].below
}

// trafficKind returns a kind if it is about traffic, else "".
func trafficKind(text string) string {
	kind := strings.Trim(text, `"'`)
	if IsRoute(kind) || strings.HasPrefix(kind, "Gateway") || strings.HasSuffix(kind, "Policy") || kind == "ReferenceGrant" {
		return kind
	}
	return ""
}
