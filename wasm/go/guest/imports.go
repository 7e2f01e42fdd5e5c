package main

import (
	"encoding/json"
	"go/ast"
	"go/token"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/traefik/yaegi/interp"
)

// hostPath is the folder of import paths under which host namespaces are known to the interpreter, so that they
// shadow a standard package of the same name instead of merging with it.
const hostPath = "host/"

// resolveImports drops imports that are not used, adds those that are plainly meant, turns host namespaces into
// packages, and refuses the rest.
func (r *run) resolveImports(file *ast.File) *failure {
	used := usedPackages(file)
	wanted := map[string]string{} // local name → import path, as the script has it
	var specs []ast.Spec
	for _, spec := range file.Imports {
		importPath, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return r.failAt(spec.Pos(), "syntax", "this import path is not a string")
		}
		name := path.Base(importPath)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		if name != "." && used[name] == nil {
			continue
		}
		target, failed := r.importTarget(importPath, spec.Pos())
		if failed != nil {
			return failed
		}
		wanted[name] = target
		specs = append(specs, importSpec(name, target, spec.Pos()))
	}
	for name, selectors := range used {
		if _, known := wanted[name]; known {
			continue
		}
		target := r.guessImport(name)
		if target == "" {
			if forbidden[name] {
				return r.failAt(selectors[0].Pos(), "syntax", refusal(name))
			}
			continue
		}
		wanted[name] = target
		specs = append(specs, importSpec(name, target, file.Name.End()))
	}
	calls, failed := r.useHostPackages(wanted, used)
	if failed != nil {
		return failed
	}
	if failed := r.checkHostCalls(file, calls); failed != nil {
		return failed
	}
	file.Decls = slices.DeleteFunc(file.Decls, func(declaration ast.Decl) bool {
		own, ok := declaration.(*ast.GenDecl)
		return ok && own.Tok == token.IMPORT
	})
	file.Imports = nil
	if len(specs) > 0 {
		at := file.Name.End()
		file.Decls = append([]ast.Decl{&ast.GenDecl{TokPos: at, Tok: token.IMPORT, Lparen: at, Specs: specs, Rparen: at}}, file.Decls...)
	}
	return nil
}

// usedPackages finds the selectors (`name.Member`) whose name is declared nowhere in the file.
func usedPackages(file *ast.File) map[string][]*ast.SelectorExpr {
	unresolved := map[*ast.Ident]bool{}
	for _, name := range file.Unresolved {
		unresolved[name] = true
	}
	used := map[string][]*ast.SelectorExpr{}
	ast.Inspect(file, func(n ast.Node) bool {
		if selector, ok := n.(*ast.SelectorExpr); ok {
			if name, ok := selector.X.(*ast.Ident); ok && unresolved[name] {
				used[name.Name] = append(used[name.Name], selector)
			}
		}
		return true
	})
	return used
}

func importSpec(name, importPath string, pos token.Pos) *ast.ImportSpec {
	spec := &ast.ImportSpec{Path: &ast.BasicLit{ValuePos: pos, Kind: token.STRING, Value: strconv.Quote(importPath)}}
	spec.Name = &ast.Ident{NamePos: pos, Name: name}
	return spec
}

// importTarget says what an import path means here.
func (r *run) importTarget(importPath string, pos token.Pos) (string, *failure) {
	switch {
	case r.isNamespace(importPath):
		return hostPath + importPath, nil
	case allowed[importPath]:
		return importPath, nil
	case forbidden[path.Base(importPath)] || strings.ContainsAny(importPath, "./"):
		return "", r.failAt(pos, "syntax", refusal(importPath))
	default:
		return "", r.unknownName(importPath, "", pos)
	}
}

// guessImport finds the import a script plainly means by a name: a host namespace, or the only standard package.
func (r *run) guessImport(name string) string {
	if r.isNamespace(name) {
		return hostPath + name
	}
	found := ""
	for known := range allowed {
		if path.Base(known) == name {
			if found != "" {
				return ""
			}
			found = known
		}
	}
	return found
}

func (r *run) isNamespace(name string) bool {
	return name == "console" || name == "codemode" ||
		slices.ContainsFunc(r.Functions, func(function hostFunction) bool { return function.Namespace == name })
}

// useHostPackages gives the interpreter the host namespaces in use, refuses names they do not have, and tells which
// selectors name a function of two results.
func (r *run) useHostPackages(wanted map[string]string, used map[string][]*ast.SelectorExpr) (map[*ast.SelectorExpr]bool, *failure) {
	calls := map[*ast.SelectorExpr]bool{}
	for local, target := range wanted {
		namespace, isHost := strings.CutPrefix(target, hostPath)
		if !isHost {
			continue
		}
		members := r.hostPackage(namespace)
		for _, selector := range used[local] {
			if _, ok := members[selector.Sel.Name]; !ok {
				return nil, r.unknownName(namespace, selector.Sel.Name, selector.Sel.Pos())
			}
			calls[selector] = namespace != "console" && selector.Sel.Name != "Error"
		}
		if err := r.interp.Use(interp.Exports{target + "/" + namespace: members}); err != nil {
			return nil, &failure{code: "internal", message: err.Error()}
		}
	}
	return calls, nil
}

// hostPackage makes the members of one host namespace.
func (r *run) hostPackage(namespace string) map[string]reflect.Value {
	switch namespace {
	case "console":
		return consolePackage()
	case "codemode":
		return map[string]reflect.Value{
			"Parallel": reflect.ValueOf(r.parallel),
			"Error":    reflect.ValueOf((*CallError)(nil)),
		}
	}
	members := map[string]reflect.Value{}
	for _, function := range r.Functions {
		if function.Namespace == namespace {
			members[function.Camel] = reflect.ValueOf(r.hostFunction(function.Index))
		}
	}
	return members
}

// hostFunction makes the Go function that calls the host's function with this index; several arguments go out as an array.
func (r *run) hostFunction(index int32) func(...any) (any, error) {
	return func(arguments ...any) (any, error) {
		if r.exit != nil {
			panic(*r.exit)
		}
		text := []byte("{}")
		if len(arguments) > 0 {
			var sent any = arguments
			if len(arguments) == 1 {
				sent = arguments[0]
			}
			encoded, err := encode(sent)
			if err != nil {
				return nil, &CallError{Code: "invalid_arguments", Text: "the argument cannot be sent: " + err.Error()}
			}
			if string(encoded) != "null" {
				text = encoded
			}
		}
		return r.bridge.call(index, text).value()
	}
}

// unknownFunction is the index by which the host is asked about a name that does not exist (UNKNOWN_FUNCTION).
const unknownFunction = -1

// unknownName asks the host what to say about a name it does not offer: it knows which is nearest.
func (r *run) unknownName(namespace, name string, pos token.Pos) *failure {
	question, _ := json.Marshal(map[string]string{"namespace": namespace, "name": name})
	answer := r.bridge.call(unknownFunction, question)
	if answer.ok {
		return r.failAt(pos, "function_not_found", "there is no function "+namespace+"."+name)
	}
	told := answer.failure()
	return r.failAt(pos, told.Code, told.Text)
}
