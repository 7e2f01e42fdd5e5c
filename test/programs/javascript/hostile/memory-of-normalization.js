// expect: memory
// The engine fails here without saying why: it must not be given the reason of an earlier failure.
return 'x'.repeat(10_000_000).normalize('NFKD').length;
