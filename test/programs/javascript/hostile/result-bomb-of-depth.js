// expect: output_too_large
let value = 'xxxxxxxxxx';
for (let at = 0; at < 16; at++) value = [value, value];
return value;
