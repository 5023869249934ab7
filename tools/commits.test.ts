import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from './infrastructure/folders.ts';

const TITLE_CHARACTERS_MAX = 72;
/** Commits before this time keep their titles. */
const CHECKED_FROM = '2026-11-28T20:00:00Z';

/** Words that begin a statement or a heading, not an instruction. */
const NO_INSTRUCTION =
  /^(?:a|an|the|this|that|these|those|it|its|we|our|there|what|which|who|whoever|where|when|while|why|how|if|as|in|on|at|by|for|from|of|to|with|since|before|after|one|two|three|each|every|all|no|not|nothing|nobody|only|also|is|are)$/i;
/** Verbs in the imperative that look like another form. */
const INSTRUCTION = /^(?:address|bring|discuss|embed|exceed|express|feed|focus|need|pass|press|process|seed|shed|speed|string|succeed)$/i;

/** What is wrong with a commit's title; undefined if nothing is. */
function faultOf(title: string): string | undefined {
  if ([...title].length > TITLE_CHARACTERS_MAX) return `longer than ${String(TITLE_CHARACTERS_MAX)} characters`;
  const [first = ''] = title.split(' ');
  if (!/^[A-Z][\w'’-]*$/.test(first)) return 'does not begin with a capitalised word';
  if (NO_INSTRUCTION.test(first)) return `begins with "${first}", not with a verb`;
  if (/(?:ed|ing|s)$/.test(first) && !INSTRUCTION.test(first)) return `"${first}" is no imperative`;
  if (/(?:^|\s)[/~]\w/.test(title)) return 'names a path of a machine';
  return title.endsWith('.') ? 'ends with a full stop' : undefined;
}

/** New commits of this checkout. A shallow clone has few of them; a copy without git or history has none. */
function newTitles(): string[] {
  try {
    const git = ['log', `--since=${CHECKED_FROM}`, '--format=%s'];
    const titles = execFileSync('git', git, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return titles.split('\n').filter((title) => title !== '');
  } catch {
    return [];
  }
}

describe('the title of a commit', () => {
  it('is an instruction of at most 72 characters, in every new commit', () => {
    const faults = newTitles().flatMap((title) => {
      const fault = faultOf(title);
      return fault === undefined ? [] : [`${title}: ${fault}`];
    });
    expect(faults).toEqual([]);
  });

  it.each(['Refuse a charge before nextChargeAt', 'Pass a partner’s key', 'Seed the demo'])('may be "%s"', (title) => {
    expect(faultOf(title)).toBeUndefined();
  });

  it.each([
    'A claim says what it left',
    'Refused a charge',
    'Refusing a charge',
    'Refuses a charge',
    'README: name the ports',
    'refuse a charge',
    'Refuse a charge.',
    ['Merge', '/srv/pay/charges'].join(' '),
    `Refuse ${'x'.repeat(66)}`,
  ])('may not be "%s"', (title) => {
    expect(faultOf(title)).toBeDefined();
  });
});
