package main

import (
	"go/ast"
	"go/token"
)

// checkHostCalls refuses host calls whose error has nowhere to go: the interpreter would drop it in silence.
func (r *run) checkHostCalls(file *ast.File, calls map[*ast.SelectorExpr]bool) (failed *failure) {
	var above []ast.Node
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil {
			above = above[:len(above)-1]
			return true
		}
		above = append(above, n)
		call, ok := n.(*ast.CallExpr)
		if !ok || failed != nil || len(above) < 2 {
			return true
		}
		selector, ok := call.Fun.(*ast.SelectorExpr)
		if ok && calls[selector] && !takesTwo(call, above) {
			name := selector.X.(*ast.Ident).Name + "." + selector.Sel.Name
			failed = r.failAt(call.Pos(), "syntax", name+" returns two values, (any, error): write `v, err := "+name+
				"(…)` and use v once err is checked")
		}
		return true
	})
	return failed
}

// takesTwo tells whether the place of a call takes two values, or none.
func takesTwo(call *ast.CallExpr, above []ast.Node) bool {
	switch parent := above[len(above)-2].(type) {
	case *ast.ExprStmt, *ast.GoStmt, *ast.DeferStmt:
		return true
	case *ast.AssignStmt:
		return len(parent.Rhs) == 1 && len(parent.Lhs) == 2 && (parent.Tok == token.ASSIGN || parent.Tok == token.DEFINE)
	case *ast.ValueSpec:
		return len(parent.Values) == 1 && len(parent.Names) == 2
	case *ast.CallExpr:
		return parent.Fun != call && len(parent.Args) == 1
	case *ast.ReturnStmt:
		return len(parent.Results) == 1 && resultsOf(above) == 2
	default:
		return false
	}
}

// resultsOf counts the results of the innermost function around a node.
func resultsOf(above []ast.Node) int {
	for i := len(above) - 1; i >= 0; i-- {
		switch function := above[i].(type) {
		case *ast.FuncLit:
			return function.Type.Results.NumFields()
		case *ast.FuncDecl:
			return function.Type.Results.NumFields()
		}
	}
	return 0
}
