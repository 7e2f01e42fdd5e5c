// expect: runtime
throw Symbol('x');
