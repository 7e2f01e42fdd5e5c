// expect: ok
// expect-log: the log was cut here
console.log('x'.repeat(10000000));
