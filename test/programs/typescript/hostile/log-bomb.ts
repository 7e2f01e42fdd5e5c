// expect: timeout
function Run(): never {
  for (;;) console.log('x'.repeat(1000) as string);
}
