/** Who a request comes from. Always an argument, never ambient. */
export interface Caller {
  /** The verified user's id; absent for an anonymous caller. */
  userId?: string;
  /** E-mail, name and role where the token tells them (for `forward_auth: user_headers`). */
  email?: string;
  name?: string;
  role?: string;
  /** The JWT as it came, for forwarding only; never logged. */
  token?: string;
  /** From when on the token counts no more, clock tolerance included: milliseconds since the epoch. */
  tokenEndsAt?: number;
  /** Whether the user is one of `auth.admins`. */
  admin: boolean;
}

/** Nobody in particular: no token, an API key, or a transport without identity. */
export const ANONYMOUS: Caller = Object.freeze({ admin: false });
