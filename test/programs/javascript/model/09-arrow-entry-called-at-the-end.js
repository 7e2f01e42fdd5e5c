// expect-value: "once"
// expect-log: called
const Run = async () => {
  console.log('called');
  return 'once';
};

await Run();
