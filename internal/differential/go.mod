module github.com/gwplan/gwplan/internal/differential

go 1.27.0
