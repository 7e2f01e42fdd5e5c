// expect: timeout
const trap: RegExp = /^(\w+\s?)*$/;
function Run(): boolean {
  return trap.test(`${'a'.repeat(40)}!`);
}
