// expect: timeout
function* numbers() {
  for (let n = 0; ; n++) yield n;
}
let sum = 0;
for (const n of numbers()) sum += n;
