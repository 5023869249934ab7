// Makes drizzle-orm cheap to load and its `is()` cheap to call (decisions/speed). Runs after every installation; a
// second run changes nothing.
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

// Node parses the export map for every file of the package that it resolves: 447 entries become those imported here ...
const ENTRIES = ['.', './casing', './node-postgres', './node-postgres/migrator', './pg-core', './relations', './version'];
// ... and those that drizzle-kit loads.
const OTHER_DIALECTS = ['./gel-core', './mysql-core', './singlestore-core', './sqlite-core'];

// Half the time of building a statement goes into `is`, whose answer depends only on the value's class.
const CACHED_IS = `
const answers = new WeakMap();
function is(value, type) {
  if (!value || typeof value !== 'object') return false;
  const prototype = Object.getPrototypeOf(value);
  let known = answers.get(prototype);
  if (known === undefined) answers.set(prototype, (known = new Map()));
  let answer = known.get(type);
  if (answer === undefined) known.set(type, (answer = uncachedIs(value, type)));
  return answer;
}
`;

const store = new URL('../node_modules/.pnpm/', import.meta.url);
for (const folder of existsSync(store) ? readdirSync(store) : []) {
  if (!folder.startsWith('drizzle-orm@')) continue;
  const drizzle = new URL(`${folder}/node_modules/drizzle-orm/`, store);

  const manifest = JSON.parse(readFileSync(new URL('package.json', drizzle), 'utf8'));
  const kept = [...ENTRIES, ...OTHER_DIALECTS].map((entry) => [entry, manifest.exports[entry]]);
  const missing = kept.filter(([, target]) => target === undefined).map(([entry]) => entry);
  if (missing.length > 0) throw new Error(`drizzle-orm does not export ${missing.join(', ')}: see decisions/speed`);
  replace(new URL('package.json', drizzle), JSON.stringify({ ...manifest, exports: Object.fromEntries(kept) }));

  const entity = readFileSync(new URL('entity.js', drizzle), 'utf8');
  if (entity.includes('uncachedIs')) continue;
  if (!entity.includes('function is(')) throw new Error('drizzle-orm has moved is(): see decisions/speed');
  replace(new URL('entity.js', drizzle), entity.replace('function is(', 'function uncachedIs(') + CACHED_IS);
}

/** Writes a new file under the old name: the old one may be a link into pnpm's store, which other checkouts share. */
function replace(file, content) {
  const draft = new URL(`${file.href}.draft`);
  writeFileSync(draft, content);
  renameSync(draft, file);
}
