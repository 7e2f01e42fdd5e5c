// expect-error: runtime: the sandbox has no network
const answer = await fetch('http://169.254.169.254/latest/meta-data/');
return answer.text();
