// expect-error: syntax: use a plain object
namespace tools {
  export const add = () => 4;
}
