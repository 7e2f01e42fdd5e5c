// expect-error: runtime: uncaught
const { proxy, revoke } = Proxy.revocable({}, {});
revoke();
throw proxy;
