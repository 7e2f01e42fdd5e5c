// expect: output_too_large
function Run() {
  return 'x'.repeat(10000000);
}
