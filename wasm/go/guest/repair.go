package main

import (
	"go/ast"
	"go/token"
	"strconv"

	"github.com/traefik/yaegi/interp"
)

// repair rewrites Go newer than the interpreter knows (range over whole numbers, a loop's variables made anew for
// each round, min, max, clear) into what it does know, keeping every position.
type repair struct {
	unresolved map[*ast.Ident]bool
	made       int
	needs      map[string]bool
}

func (r *run) repair(file *ast.File) {
	own := repair{unresolved: map[*ast.Ident]bool{}, needs: map[string]bool{}}
	for _, name := range file.Unresolved {
		own.unresolved[name] = true
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch node := n.(type) {
		case *ast.BlockStmt:
			node.List = own.statements(node.List)
		case *ast.CaseClause:
			node.Body = own.statements(node.Body)
		case *ast.CommClause:
			node.Body = own.statements(node.Body)
		case *ast.LabeledStmt:
			node.Stmt = own.loop(node.Stmt)
		case *ast.CallExpr:
			own.call(node)
		}
		return true
	})
	var specs []ast.Spec
	at := file.Name.End()
	for name := range own.needs {
		specs = append(specs, importSpec(name, name, at))
	}
	if own.needs[helpersName] {
		must(r.interp.Use(interp.Exports{helpersName + "/" + helpersName: helpers}))
	}
	if len(specs) > 0 {
		file.Decls = append([]ast.Decl{&ast.GenDecl{TokPos: at, Tok: token.IMPORT, Lparen: at, Specs: specs, Rparen: at}}, file.Decls...)
	}
}

func (own *repair) name(pos token.Pos) *ast.Ident {
	own.made++
	return &ast.Ident{NamePos: pos, Name: "codemode__" + strconv.Itoa(own.made)}
}

func (own *repair) statements(list []ast.Stmt) []ast.Stmt {
	out := make([]ast.Stmt, 0, len(list))
	for _, statement := range list {
		switch known := statement.(type) {
		case *ast.RangeStmt, *ast.ForStmt:
			statement = own.loop(statement)
		case *ast.ReturnStmt:
			out = append(out, own.receives(known)...)
		case *ast.DeferStmt:
			out = append(out, own.evaluated(known.Call)...)
		}
		out = append(out, statement)
	}
	return out
}

// receives moves `<-c` out of a return statement, where the interpreter cannot take it.
func (own *repair) receives(statement *ast.ReturnStmt) []ast.Stmt {
	var before []ast.Stmt
	for i, result := range statement.Results {
		if unary, ok := result.(*ast.UnaryExpr); ok && unary.Op == token.ARROW {
			name := own.name(unary.Pos())
			before = append(before, &ast.AssignStmt{Lhs: []ast.Expr{name}, TokPos: unary.Pos(), Tok: token.DEFINE, Rhs: []ast.Expr{unary}})
			statement.Results[i] = &ast.Ident{NamePos: unary.Pos(), Name: name.Name}
		}
	}
	return before
}

// evaluated takes the arguments of a deferred call now: the interpreter would read variables when it runs.
func (own *repair) evaluated(call *ast.CallExpr) []ast.Stmt {
	var before []ast.Stmt
	for i, argument := range call.Args {
		if name, ok := argument.(*ast.Ident); ok && name.Obj != nil && name.Obj.Kind == ast.Var {
			taken := own.name(name.Pos())
			before = append(before, &ast.AssignStmt{Lhs: []ast.Expr{taken}, TokPos: name.Pos(), Tok: token.DEFINE, Rhs: []ast.Expr{name}})
			call.Args[i] = &ast.Ident{NamePos: name.Pos(), Name: taken.Name}
		}
	}
	return before
}
