package main

import (
	"go/ast"
	"go/token"
	"reflect"
	"strconv"

	"github.com/traefik/yaegi/interp"
)

// helpersName is the package that stands in for predeclared functions the interpreter lacks.
const helpersName = "codemode__helpers"

// helpers are those of them that need no type parameters.
var helpers = map[string]reflect.Value{
	"Clear": reflect.ValueOf(func(value any) { reflect.ValueOf(value).Clear() }),
}

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

// call replaces min, max and clear.
func (own *repair) call(call *ast.CallExpr) {
	name, ok := call.Fun.(*ast.Ident)
	if !ok || !own.unresolved[name] {
		return
	}
	switch name.Name {
	case "clear":
		own.needs[helpersName] = true
		call.Fun = own.member(helpersName, "Clear", name.Pos())
	case "min", "max":
		if len(call.Args) == 0 {
			return
		}
		own.needs["cmp"] = true
		member := map[string]string{"min": "Least", "max": "Greatest"}[name.Name]
		own.constantsLast(call.Args)
		folded := call.Args[0]
		for _, next := range call.Args[1:] {
			folded = &ast.CallExpr{Fun: own.member("cmp", member, name.Pos()), Lparen: call.Lparen, Args: []ast.Expr{folded, next}, Rparen: call.Rparen}
		}
		if made, ok := folded.(*ast.CallExpr); ok && len(call.Args) > 1 {
			call.Fun, call.Args = made.Fun, made.Args
		}
	}
}

// constantsLast moves a variable to the front: the first argument decides the type of the others.
func (own *repair) constantsLast(arguments []ast.Expr) {
	for i, argument := range arguments {
		if _, literal := argument.(*ast.BasicLit); !literal {
			arguments[0], arguments[i] = arguments[i], arguments[0]
			return
		}
	}
	for i, argument := range arguments {
		if literal := argument.(*ast.BasicLit); literal.Kind == token.FLOAT {
			arguments[0], arguments[i] = arguments[i], arguments[0]
			return
		}
	}
}

func (own *repair) member(of, name string, pos token.Pos) ast.Expr {
	return &ast.SelectorExpr{X: &ast.Ident{NamePos: pos, Name: of}, Sel: &ast.Ident{NamePos: pos, Name: name}}
}
