// expect-error: runtime: recurses too deeply
// limits: {"cpuMs": 2000}
return eval('['.repeat(200000) + ']'.repeat(200000));
