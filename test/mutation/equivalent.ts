/** A mutant that behaves as the original does, and why. */
export interface Equivalent {
  file: string;
  before: string;
  after: string;
  line?: number;
  why: string;
}

export const EQUIVALENT: readonly Equivalent[] = [
  {
    file: 'rights.ts',
    before: 'userId === undefined',
    after: 'false',
    why: 'The check is for the types: undefined equals no id of the configuration and is in no group.',
  },
  {
    file: 'rights-key.ts',
    before: 'userId === undefined',
    after: 'false',
    why: 'As in rights.ts.',
  },
  {
    file: 'verify-token.ts',
    before: 'algorithms: SECRET_ALGORITHMS',
    after: '',
    why: 'The algorithm has been compared already; jose is told as well, so that neither check stands alone.',
  },
  {
    file: 'verify-token.ts',
    before: 'algorithms: KEY_SET_ALGORITHMS,',
    after: '',
    why: 'As for the secret.',
  },
];
