package plan

// The sides of a comparison, as documents name them.
const (
	InBase = "base"
	InHead = "head"
	InBoth = "both"
)

// The states of a finding. One that is not compared has none.
const (
	New       = "new"
	Fixed     = "fixed"
	Unchanged = "unchanged"
)

// What becomes of something between base and head. An environment may be renamed, or in both.
const (
	EditAdded   = "added"
	EditRemoved = "removed"
	EditChanged = "changed"
	EditRenamed = "renamed"
)

// What is known of a verdict, as documents say it.
const (
	True    = "true"
	False   = "false"
	Unknown = "unknown"
)

// EditOf says what becomes of something that base has or not, and head has or not.
func EditOf(inBase, inHead bool) string {
	switch {
	case !inBase:
		return EditAdded
	case !inHead:
		return EditRemoved
	}
	return EditChanged
}
