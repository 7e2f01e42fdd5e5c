// expect: timeout
function dig() {
  try {
    dig();
  } finally {
    dig();
  }
}
dig();
