// expect-error: runtime: require does not exist here
return require('node:fs').readFileSync('/etc/passwd', 'utf8');
