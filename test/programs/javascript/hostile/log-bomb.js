// expect: timeout
// expect-log: the log was cut here
while (true) console.log('x'.repeat(1000));
