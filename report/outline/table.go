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
