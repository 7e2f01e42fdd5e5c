// expect: runtime
const error = new Error('quota');
error.code = 'quota_exceeded';
error.tool = 'tools.add';
throw error;
