// expect-value: 5
export default async () => {
  const sum = await tools.add({ a: 2, b: 3 });
  return sum;
};
