// expect: timeout
function Run() {
  return {
    get value() {
      while (true) {}
    },
  };
}
