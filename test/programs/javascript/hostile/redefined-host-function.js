// expect-error: runtime: cannot be changed
tools.add = () => 4;
