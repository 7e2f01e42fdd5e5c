// expect: runtime
throw Object.create(null);
