// expect: timeout
function Run() {
  return {
    toJSON() {
      for (;;) {}
    },
  };
}
