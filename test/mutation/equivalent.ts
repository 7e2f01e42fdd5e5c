/** A mutant that behaves as the original does, and why. */
export interface Equivalent {
  file: string;
  before: string;
  after: string;
  line?: number;
  why: string;
}

export const EQUIVALENT: readonly Equivalent[] = [];
