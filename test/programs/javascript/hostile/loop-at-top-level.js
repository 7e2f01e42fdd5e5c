// expect: timeout
// expect-log: still here
console.log('still here');
let n = 0;
while (true) n++;
