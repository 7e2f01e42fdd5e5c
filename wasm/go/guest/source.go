package main

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"strings"
)

const (
	// The name under which Yaegi leaves the file out of its messages.
	sourceName = "_.go"
	// Not `main`, so that a script's own main is not run behind its back.
	scriptPackage = "script"
	packageClause = "package main;"
)

// readSource parses the script and makes good what models leave out: package clause and imports.
func (r *run) readSource() (*ast.File, *failure) {
	text, shift := r.Code, 0
	if !hasPackageClause(text) {
		text, shift = packageClause+text, len(packageClause)
	}
	file, err := parser.ParseFile(r.files, sourceName, text, parser.DeclarationErrors)
	if err != nil {
		failed := compileFailure(err)
		if failed.pos.Line == 1 {
			failed.pos.Column = max(1, failed.pos.Column-shift)
		}
		return nil, failed
	}
	if shift > 0 {
		r.files.File(file.Pos()).AddLineColumnInfo(shift, sourceName, 1, 1)
	}
	file.Name.Name = scriptPackage
	if failed := r.refuseThreads(file); failed != nil {
		return nil, failed
	}
	if failed := r.findEntry(file); failed != nil {
		return nil, failed
	}
	if failed := r.resolveImports(file); failed != nil {
		return nil, failed
	}
	r.repair(file)
	return file, nil
}

func hasPackageClause(text string) bool {
	files := token.NewFileSet()
	var s scanner.Scanner
	s.Init(files.AddFile("", files.Base(), len(text)), []byte(text), nil, 0)
	_, first, _ := s.Scan()
	return first == token.PACKAGE
}

// refuseThreads refuses `go` and `select` where limits.allow_threads is off.
func (r *run) refuseThreads(file *ast.File) (failed *failure) {
	if r.AllowThreads {
		return nil
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if failed != nil {
			return false
		}
		word := ""
		switch n.(type) {
		case *ast.GoStmt:
			word = "go"
		case *ast.SelectStmt:
			word = "select"
		default:
			return true
		}
		failed = r.failAt(n.Pos(), "syntax", "`"+word+"` statements are switched off here; to make calls at the same time use "+
			"codemode.Parallel(func() (any, error) { … }, …)")
		return false
	})
	return failed
}

// findEntry checks that the entry is defined and names what is, if not.
func (r *run) findEntry(file *ast.File) *failure {
	var defined []string
	for _, declaration := range file.Decls {
		switch own := declaration.(type) {
		case *ast.FuncDecl:
			if own.Recv == nil && own.Name.Name != "init" {
				defined = append(defined, own.Name.Name)
			}
		case *ast.GenDecl:
			for _, spec := range own.Specs {
				if values, ok := spec.(*ast.ValueSpec); ok && own.Tok == token.VAR {
					for _, name := range values.Names {
						if name.Name == r.Entry {
							return nil
						}
					}
				}
			}
		}
	}
	for _, name := range defined {
		if name == r.Entry {
			return nil
		}
	}
	message := "the script defines no function " + r.Entry + ": add `func " + r.Entry + "(p map[string]any) (any, error)`"
	if len(defined) > 0 {
		message = "the script defines no function " + r.Entry + "; it defines " + strings.Join(defined, ", ") +
			": rename one to " + r.Entry + " or name it in `entry`"
	}
	return &failure{code: "entry_not_found", message: message}
}

func (r *run) failAt(pos token.Pos, code, message string) *failure {
	return &failure{code: code, message: message, pos: r.files.Position(pos)}
}
