/** The proxies that upstreams over HTTP are reached by, as Node's agents take them (`proxyEnv`). */
export interface ProxySettings extends Record<string, string> {
  NO_PROXY: string;
}

/** This machine itself, in Node's notation. */
const LOOPBACK = 'localhost,127.0.0.0-127.255.255.255,::1,[::1]';

/**
 * What `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` (or the same in small letters, which count first) say; undefined where no
 * proxy is named. This machine is reached without one, unless `NO_PROXY` is there and empty.
 */
export function proxySettings(
  env: Record<string, string | undefined>,
  warn: (text: string) => void,
): ProxySettings | undefined {
  const found: Record<string, string> = {};
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY']) {
    const given = env[name.toLowerCase()] || env[name];
    if (!given) continue;
    const address = given.includes('://') ? given : `http://${given}`;
    if (/^https?:$/.test(URL.parse(address)?.protocol ?? '')) found[name] = address;
    else warn(`${name} is not used: it is no address of an HTTP proxy, e.g. http://proxy.example.com:3128`);
  }
  if (Object.keys(found).length === 0) return undefined;
  const excepted = env['no_proxy'] ?? env['NO_PROXY'];
  return { ...found, NO_PROXY: excepted === '' ? '' : [excepted, LOOPBACK].filter(Boolean).join() };
}
