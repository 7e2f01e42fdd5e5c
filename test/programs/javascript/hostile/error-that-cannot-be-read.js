// expect-error: runtime: real
// Reading what was thrown throws itself: that is no lack of memory.
const error = new Error('real');
error.name = {
  toString() {
    throw new Error('unreadable');
  },
};
throw error;
