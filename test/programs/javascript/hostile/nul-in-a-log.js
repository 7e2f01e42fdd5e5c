// expect-value: 1
// expect-log: before␀after
console.log('before\0after');
return 1;
