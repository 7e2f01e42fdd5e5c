// expect: timeout
async function Run() {
  return {
    get then() {
      while (true) {}
    },
  };
}
