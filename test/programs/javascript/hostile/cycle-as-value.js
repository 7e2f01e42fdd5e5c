// expect-error: runtime: refers to itself
const me = {};
me.me = me;
return me;
