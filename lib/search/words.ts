/** Words that say nothing of what a function does. */
const STOP_WORDS = new Set(
  `a an and any are as at be been by can could do does for from had has have he her his i if in into is it its
   let me my of on or our please s she should so some t than that the their them then there these they this those to
   want was we were will with would you your i'd i'm what which who whom when where why how need using use used via
   did am im us now just also about
   и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по ее мне есть из или до от для при ли о
   об это мой`.split(/\s+/),
);

/** A run of letters and digits of any script. */
const RUN = /[\p{L}\p{M}\p{N}]+/gu;
/** The words of a run: case changes and digits divide, as in `getHTTPStatus2`. */
const WORD = /\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|\p{Lu}+|\p{N}+/gu;

/** A run of letters and digits, lower-case: whole, and the words it is made of (`GitHub`: git, hub). */
export interface Run {
  whole: string;
  words: string[];
}

/** The runs of a text or identifier as they stand there. */
export function splitRuns(text: string): string[] {
  return text.match(RUN) ?? [];
}

/** Reads one run; of a stop word nothing is left. */
export function readRun(run: string): Run {
  const whole = run.toLowerCase();
  const words = (run.match(WORD) ?? [whole]).map((word) => word.toLowerCase());
  return { whole, words: words.length === 1 && STOP_WORDS.has(whole) ? [] : words };
}

/** The words of a text or an identifier (`get-file_info`, `getHTTPStatus`), lower-case, stop words left out. */
export function wordsOf(text: string): string[] {
  return splitRuns(text).flatMap((run) => readRun(run).words);
}

/** A function that gives the terms of a text, reading each run only once: texts repeat themselves. */
export function createTermReader(termsOf: (run: Run) => string[]): (text: string) => string[] {
  const known = new Map<string, string[]>();
  return (text) =>
    splitRuns(text).flatMap((run) => {
      let terms = known.get(run);
      if (!terms) {
        terms = termsOf(readRun(run));
        known.set(run, terms);
      }
      return terms;
    });
}

const CYRILLIC = /\p{sc=Cyrillic}/u;
const VOWEL = /[aeiouy]/;

const RUSSIAN_ENDING =
  /(?:иями|ями|ами|ией|иям|иях|ого|ему|ому|ыми|ими|ешь|ать|ять|ить|еть|уть|ает|яет|ует|ала|или|ых|их|ах|ях|ов|ев|ей|ой|ий|ый|ые|ие|ая|яя|ое|ее|ую|юю|ом|ем|ам|ям|ия|ию|ии|ье|ья|ть|а|я|о|е|у|ю|ы|и|ь|й)$/;

/**
 * A light stem. English: plural, -ing, -ed, -ion and the final e go, so that create, creating and creation meet.
 * Russian: the ending goes, and ё is е.
 */
export function stemOf(word: string): string {
  if (CYRILLIC.test(word)) {
    const stem = word.replaceAll('ё', 'е').replace(RUSSIAN_ENDING, '');
    return stem.length >= 3 ? stem : word;
  }
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
