// expect: memory
const parts = [];
for (let at = 0; at < 100; at++) parts.push('x'.repeat(50000000) + at);
return parts.length;
