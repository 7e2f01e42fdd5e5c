// expect: syntax
import fs = require('fs');
function Run() {
  return fs;
}
