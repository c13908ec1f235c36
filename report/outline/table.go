package outline

import (
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	// columnGap separates the columns of a table.
	columnGap = "  "
	// minColumn is the least width to which a column is shortened.
	minColumn = 9
)

// Table aligns rows of cells, a line each. Where the lines would be longer than width, cells of the
// widest columns are shortened in their middle, since both ends of a name tell most; 0 is no limit.
func Table(rows [][]string, width int) []string {
	widths := columnWidths(rows)
	fit(widths, width)
	lines := make([]string, 0, len(rows))
	for _, row := range rows {
		cells := make([]string, len(row))
		for i, cell := range row {
			cell = shortened(cell, widths[i])
			cells[i] = cell + strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
		}
		lines = append(lines, strings.TrimRight(strings.Join(cells, columnGap), " "))
	}
	return lines
}

// Narrowed leaves columns out of rows, whose first one has their names, until the lines fit a width: as many of the named ones
// as that takes, in their order. A width of 0 is no limit.
func Narrowed(rows [][]string, width int, columns ...string) [][]string {
	for _, name := range columns {
		if Fits(rows, width) {
			break
		}
		i := slices.Index(rows[0], name)
		if i < 0 {
			continue
		}
		for n, row := range rows {
			rows[n] = slices.Concat(row[:i], row[i+1:])
		}
	}
	return rows
}

// Fits reports whether rows are no wider than a terminal; a width of 0 is no limit.
func Fits(rows [][]string, width int) bool {
	widths := columnWidths(rows)
	total := len(columnGap) * (len(widths) - 1)
	for _, w := range widths {
		total += w
	}
	return width <= 0 || total <= width
}

// columnWidths are the widths that columns need. Characters count as one column each, which is good
// enough for names.
func columnWidths(rows [][]string) []int {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	return widths
}

// fit narrows the widest columns until a line fits, or until none can be narrower.
func fit(widths []int, width int) {
	if width <= 0 || len(widths) == 0 {
		return
	}
	total := len(columnGap) * (len(widths) - 1)
	for _, w := range widths {
		total += w
	}
	for ; total > width; total-- {
		widest := slices.Index(widths, slices.Max(widths))
		if widths[widest] <= minColumn {
			return
		}
		widths[widest]--
	}
}

// shortened cuts the middle out of a text.
func shortened(text string, width int) string {
	runes := []rune(text)
	if len(runes) <= width {
		return text
	}
	head := width / 2
	return string(runes[:head]) + "…" + string(runes[len(runes)-(width-head-1):])
}
