import { shownName } from './shown-name.ts';

/** An error's name, and the code that the system or a service gave it. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const { code } = error as NodeJS.ErrnoException;
  return shownName(typeof code === 'string' ? `${error.name} ${code}` : error.name);
}

/** What a line of the log may say of an error: names and codes, its cause's too; never a message, which may hold what somebody gave. */
export function errorNames(error: unknown): { error: string; code?: string; cause?: string } {
  if (!(error instanceof Error)) return { error: nameOf(error) };
  const { name, cause } = error;
  const { code } = error as NodeJS.ErrnoException;
  return {
    error: shownName(name),
    ...(typeof code === 'string' && { code }),
    ...(cause !== undefined && { cause: nameOf(cause) }),
  };
}
