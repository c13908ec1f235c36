package answer

// PassagesWithin is Passages with a limit of its own.
var PassagesWithin = passagesWithin

// Beginning is the text with which all matches of a regular expression begin.
var Beginning = beginning
