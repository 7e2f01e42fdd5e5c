// expect: output_too_large
const Run = (): string => 'x'.repeat(2 ** 20) as unknown as string;
