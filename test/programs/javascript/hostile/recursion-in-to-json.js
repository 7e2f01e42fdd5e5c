// expect: timeout
const endless = () => ({ toJSON: () => ({ next: endless() }) });
return endless();
