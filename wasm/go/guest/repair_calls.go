package main

import (
	"go/ast"
	"go/token"
	"reflect"
)

// helpersName is the package that stands in for predeclared functions the interpreter lacks.
const helpersName = "codemode__helpers"

// helpers are those of them that need no type parameters.
var helpers = map[string]reflect.Value{
	"Clear": reflect.ValueOf(func(value any) { reflect.ValueOf(value).Clear() }),
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
