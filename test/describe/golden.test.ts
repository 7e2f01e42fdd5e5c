import { describe, expect, it } from 'vitest';
import { describeFunctions } from '../../lib/describe/describe-functions.ts';
import { RECORDED, recordedView, viewOf } from '../support/recorded-catalogues.ts';

const LANGUAGES = { javascript: 'js.md', typescript: 'ts', lua: 'lua', go: 'go.md' } as const;
const languages = Object.keys(LANGUAGES) as (keyof typeof LANGUAGES)[];

/** Update with `npx vitest run test/describe -u`, and read the difference. */
describe('cheat sheets', () => {
  for (const recorded of RECORDED) {
    const { alias } = recorded;
    const view = viewOf([recorded]);
    it.each(languages)(`of ${alias} in %s are as kept`, async (language) => {
      const sheet = describeFunctions(view, language);
      await expect(sheet).toMatchFileSnapshot(`../golden/sheets/${alias}.${LANGUAGES[language]}`);
    });
  }

  it.each(languages)('of one server in full in %s are as kept', async (language) => {
    const sheet = describeFunctions(recordedView(), language, { server: 'filesystem', detail: 'full' });
    await expect(sheet).toMatchFileSnapshot(`../golden/sheets/filesystem-full.${LANGUAGES[language]}`);
  });
});
