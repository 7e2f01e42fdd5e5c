/** Words that say nothing of what a function does. */
const STOP_WORDS = new Set(
  `a an and any are as at be been by can could do does for from had has have he her his i if in into is it its
   let me my of on or our please s she should so some t than that the their them then there these they this those to
   want was we were will with would you your i'd i'm what which who whom when where why how need using use used via
   did am im us now just also about`.split(/\s+/),
);

/** Letters and digits of any script; case changes and digits inside identifiers divide words too. */
const WORD = /\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|\p{Lu}+|\p{N}+/gu;

/** Splits a text or an identifier (`get-file_info`, `getHTTPStatus`) into lower-case words, stop words left out. */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const [word] of text.matchAll(WORD)) {
    const lower = word.toLowerCase();
    if (!STOP_WORDS.has(lower)) words.push(lower);
  }
  return words;
}

const VOWEL = /[aeiouy]/;

/** A light English stem: plural, -ing, -ed, -ion and the final e, so that create, creating and creation meet. */
export function stemOf(word: string): string {
  let stem = word;
  if (stem.length > 3 && !/[^a-z]/.test(stem)) {
    if (stem.endsWith('ies') && stem.length > 4) stem = `${stem.slice(0, -3)}y`;
    else if (/(?:ss|sh|ch|x|z)es$/.test(stem)) stem = stem.slice(0, -2);
    else if (/[^su]s$/.test(stem) && !stem.endsWith('is')) stem = stem.slice(0, -1);
    const ending = /(?:ing|ed)$/.exec(stem);
    if (ending && ending.index > 2 && VOWEL.test(stem.slice(0, ending.index))) {
      stem = stem.slice(0, ending.index).replace(/([bdgklmnprt])\1$/, '$1');
    } else if (/[st]ion$/.test(stem) && stem.length > 6) {
      stem = stem.slice(0, -3);
    }
    if (stem.length > 3 && stem.endsWith('e')) stem = stem.slice(0, -1);
    if (stem.length > 3 && /[^aeiou]y$/.test(stem)) stem = `${stem.slice(0, -1)}i`;
  }
  return stem;
}
