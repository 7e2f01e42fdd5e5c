// expect-value: 6
```javascript
function Run() {
  const { items } = tools.list({ n: 3 });
  return items.reduce((sum, n) => sum + n, 0);
}
```
