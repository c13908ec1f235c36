package answer

// PassagesWithin is Passages with a limit of its own.
var PassagesWithin = passagesWithin
