// expect-error: runtime: recurses too deeply
// This depth overwrites a part of the engine's own data and goes on.
try {
  eval('(function () {'.repeat(900) + '})'.repeat(900));
} catch {}
return 'went on';
