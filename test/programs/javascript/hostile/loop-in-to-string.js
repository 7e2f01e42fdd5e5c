// expect: timeout
throw {
  toString() {
    while (true) {}
  },
  get message() {
    while (true) {}
  },
  toJSON() {
    while (true) {}
  },
  get looping() {
    while (true) {}
  },
};
