// expect-value: {"sum": 3, "echo": {"path": "/a"}}
Object.prototype.toJSON = function () { return 'polluted'; };
delete Object.prototype.toJSON;
Array.prototype.push = () => { throw new Error('push'); };
Array.prototype[Symbol.iterator] = () => { throw new Error('iterator'); };
Function.prototype.call = Function.prototype.apply = () => { throw new Error('call'); };
Map.prototype.get = Map.prototype.set = WeakMap.prototype.get = () => { throw new Error('map'); };
String.prototype.slice = () => { throw new Error('slice'); };
Promise.prototype.then = () => { throw new Error('then'); };
Reflect.apply = () => { throw new Error('apply'); };
JSON.parse = JSON.stringify = () => { throw new Error('json'); };
function Run() {
  return { sum: tools.add({ a: 1, b: 2 }), echo: tools.echo({ path: '/a' }) };
}
