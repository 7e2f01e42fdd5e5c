// expect: timeout
// limits: {"wallMs": 500}
async function Run() {
  await Promise.race([tools.never(), tools.never()]);
}
