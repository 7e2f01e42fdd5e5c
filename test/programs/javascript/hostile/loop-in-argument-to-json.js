// expect: timeout
function Run() {
  tools.echo({
    toJSON() {
      for (;;) {}
    },
  });
}
