module github.com/gwplan/gwplan

go 1.26.0
