// expect-error: runtime: process does not exist here
return process.env.PATH;
