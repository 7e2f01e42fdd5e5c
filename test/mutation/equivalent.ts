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
];
