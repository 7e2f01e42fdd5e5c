// expect: memory
return new Uint8Array(1500000000).length;
