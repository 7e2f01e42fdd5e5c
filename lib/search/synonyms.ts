import { stemOf } from './words.ts';

/**
 * Words that stand for one another where people name tasks and programmers name functions. General ones only: no
 * server's own vocabulary.
 */
const GROUPS = `
  get fetch read retrieve load obtain download
  show view display see print inspect get list
  list enumerate show all browse
  search find lookup locate query discover
  create make new add open start build generate register
  add append insert attach create
  delete remove erase drop clear destroy purge discard
  forget delete remove
  update edit change modify alter patch set adjust
  replace edit update overwrite
  write save store put
  remember save store add
  move transfer relocate
  rename move
  change rename
  run execute evaluate invoke perform trigger launch
  send post submit publish deliver
  upload send attach push
  copy duplicate clone
  close end finish stop shut disconnect
  cancel abort stop
  open connect start
  wait sleep pause delay
  choose select pick
  press hit push key
  go navigate visit open goto browse
  count many number total
  merge combine join
  link connect relate relation
  compare diff difference
  check verify validate test status
  approve accept review
  describe schema structure
  compress zip gzip archive
  folder directory dir
  picture image photo
  screen screenshot snapshot
  screenshot capture
  site website page web
  url link address
  repo repository
  db database
  env environment
  docs documentation doc
  info information detail metadata
  bug issue ticket problem
  row record document entry item
  field column property attribute
  schema structure field
  table collection
  person people user
  member user person account
  comment reply
  history log
  size big large
  message mail email
  meeting event appointment calendar
  content text body
  all entire whole everything
  several multiple many bulk batch
  recursive tree
  last recent latest
  sum add total plus
  label tag
  http network request
  dropdown select option
  error failure exception
  auth login authentication
  config configuration setting
  param parameter argument
  quick fast
`;

/** Abbreviations that stand for several words at once. */
const ABBREVIATIONS = new Map(
  Object.entries({
    pr: 'pull request',
    prs: 'pull request',
    ci: 'status check',
    js: 'javascript',
    ts: 'typescript',
    md: 'markdown',
    ui: 'interface',
    id: 'identifier',
    img: 'image',
    msg: 'message',
    goto: 'navigate',
  }),
);

const alternatives = new Map<string, Set<string>>();
for (const line of GROUPS.trim().split('\n')) {
  const [head, ...others] = line.trim().split(/\s+/).map(stemOf);
  if (!head) continue;
  const known = alternatives.get(head) ?? new Set();
  for (const other of others) if (other !== head) known.add(other);
  alternatives.set(head, known);
  for (const other of others) {
    const back = alternatives.get(other) ?? new Set();
    if (other !== head) back.add(head);
    alternatives.set(other, back);
  }
}

/** Stems that may stand for a stem; a group's head stands for its members and they for it. */
export function synonymsOf(stem: string): ReadonlySet<string> {
  return alternatives.get(stem) ?? new Set();
}

/** The words an abbreviation stands for, else the word itself. */
export function spelledOut(word: string): string[] {
  return ABBREVIATIONS.get(word)?.split(' ') ?? [word];
}
