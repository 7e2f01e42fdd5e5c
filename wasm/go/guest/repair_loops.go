package main

import (
	"go/ast"
	"go/token"
)

// loop turns a range over a whole number into a loop of three clauses, and gives closures in it fresh variables.
func (own *repair) loop(statement ast.Stmt) ast.Stmt {
	if ranged, ok := statement.(*ast.RangeStmt); ok {
		own.rangeOverIterator(ranged)
		if !wholeNumber(ranged.X, 0) || ranged.Value != nil || (ranged.Key != nil && ranged.Tok != token.DEFINE) {
			return ranged
		}
		statement = own.count(ranged)
	}
	loop, ok := statement.(*ast.ForStmt)
	if !ok {
		return statement
	}
	own.freshVariables(loop)
	return loop
}

// count turns `for i := range n` into a loop of three clauses.
func (own *repair) count(ranged *ast.RangeStmt) *ast.ForStmt {
	at := ranged.X.Pos()
	key, _ := ranged.Key.(*ast.Ident)
	if key == nil || key.Name == "_" {
		key = own.name(at)
	}
	again := func() *ast.Ident { return &ast.Ident{NamePos: at, Name: key.Name, Obj: key.Obj} }
	end := own.name(at)
	zero := &ast.BasicLit{ValuePos: at, Kind: token.INT, Value: "0"}
	return &ast.ForStmt{
		For: ranged.For,
		Init: &ast.AssignStmt{
			Lhs: []ast.Expr{key, end}, TokPos: at, Tok: token.DEFINE,
			Rhs: []ast.Expr{zero, &ast.CallExpr{Fun: &ast.Ident{NamePos: at, Name: "int"}, Lparen: at, Args: []ast.Expr{ranged.X}, Rparen: at}},
		},
		Cond: &ast.BinaryExpr{X: again(), OpPos: at, Op: token.LSS, Y: &ast.Ident{NamePos: at, Name: end.Name}},
		Post: &ast.IncDecStmt{X: again(), TokPos: at, Tok: token.INC},
		Body: ranged.Body,
	}
}

// wholeNumber tells whether an expression is plainly an int: there are no types yet, so this goes by its shape.
func wholeNumber(expression ast.Expr, depth int) bool {
	if depth > 8 {
		return false
	}
	switch known := expression.(type) {
	case *ast.BasicLit:
		return known.Kind == token.INT
	case *ast.ParenExpr:
		return wholeNumber(known.X, depth+1)
	case *ast.BinaryExpr:
		switch known.Op {
		case token.ADD, token.SUB, token.MUL, token.QUO, token.REM:
			return wholeNumber(known.X, depth+1) || wholeNumber(known.Y, depth+1)
		}
	case *ast.CallExpr:
		name, ok := known.Fun.(*ast.Ident)
		return ok && (name.Name == "len" || name.Name == "cap" || name.Name == "int" ||
			((name.Name == "min" || name.Name == "max") && len(known.Args) > 0 && wholeNumber(known.Args[0], depth+1)))
	case *ast.Ident:
		return known.Obj != nil && wholeDeclaration(known, depth)
	}
	return false
}

func wholeDeclaration(name *ast.Ident, depth int) bool {
	switch made := name.Obj.Decl.(type) {
	case *ast.Field:
		return isInt(made.Type)
	case *ast.ValueSpec:
		if made.Type != nil {
			return isInt(made.Type)
		}
		for i, own := range made.Names {
			if own.Name == name.Name && i < len(made.Values) {
				return wholeNumber(made.Values[i], depth+1)
			}
		}
	case *ast.AssignStmt:
		for i, left := range made.Lhs {
			if own, ok := left.(*ast.Ident); ok && own.Name == name.Name && len(made.Rhs) == len(made.Lhs) {
				return wholeNumber(made.Rhs[i], depth+1)
			}
		}
	}
	return false
}

func isInt(kind ast.Expr) bool {
	name, ok := kind.(*ast.Ident)
	return ok && name.Name == "int"
}

// rangeOverIterator turns ranging over maps.Keys, maps.Values, maps.All and slices.Values into ranging over the
// thing itself: the interpreter has no iterators.
func (own *repair) rangeOverIterator(ranged *ast.RangeStmt) {
	call, ok := ranged.X.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return
	}
	selector, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return
	}
	from, ok := selector.X.(*ast.Ident)
	if !ok || !own.unresolved[from] || ranged.Value != nil && selector.Sel.Name != "All" {
		return
	}
	switch from.Name + "." + selector.Sel.Name {
	case "maps.Keys", "maps.All", "slices.All":
		ranged.X = call.Args[0]
	case "maps.Values", "slices.Values":
		ranged.X = call.Args[0]
		ranged.Value = ranged.Key
		ranged.Key = &ast.Ident{NamePos: ranged.For, Name: "_"}
	}
}

// freshVariables gives closures in a loop's body a variable of their own for each round, as Go does since 1.22.
func (own *repair) freshVariables(loop *ast.ForStmt) {
	init, ok := loop.Init.(*ast.AssignStmt)
	if !ok || init.Tok != token.DEFINE {
		return
	}
	var copies []ast.Stmt
	for _, left := range init.Lhs {
		name, ok := left.(*ast.Ident)
		if !ok || name.Obj == nil || !captured(loop.Body, name.Obj) {
			continue
		}
		at := loop.Body.Lbrace
		copies = append(copies, &ast.AssignStmt{
			Lhs: []ast.Expr{&ast.Ident{NamePos: at, Name: name.Name}}, TokPos: at, Tok: token.DEFINE,
			Rhs: []ast.Expr{&ast.Ident{NamePos: at, Name: name.Name}},
		})
	}
	if len(copies) > 0 {
		loop.Body.List = append(copies, loop.Body.List...)
	}
}

// captured tells whether a function literal in the body uses the variable and nothing there changes it.
func captured(body *ast.BlockStmt, variable *ast.Object) bool {
	inFunction, changed := false, false
	is := func(expression ast.Expr) bool {
		name, ok := expression.(*ast.Ident)
		return ok && name.Obj == variable
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch node := n.(type) {
		case *ast.FuncLit:
			ast.Inspect(node.Body, func(inside ast.Node) bool {
				if name, ok := inside.(*ast.Ident); ok && name.Obj == variable {
					inFunction = true
				}
				return true
			})
		case *ast.AssignStmt:
			for _, left := range node.Lhs {
				changed = changed || is(left)
			}
		case *ast.IncDecStmt:
			changed = changed || is(node.X)
		case *ast.UnaryExpr:
			changed = changed || (node.Op == token.AND && is(node.X))
		}
		return true
	})
	return inFunction && !changed
}
