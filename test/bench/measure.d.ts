import type { Figures } from './bench.ts';

type Action = () => Promise<unknown>;
export function measure(contender: { add: Action; calls?: Action; parallel?: Action; loop?: Action }): Promise<Figures>;
export function called(): void;
