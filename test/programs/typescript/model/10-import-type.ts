// expect-value: 1
import type { Something } from './types';
const Run = (value?: Something): number => 1;
