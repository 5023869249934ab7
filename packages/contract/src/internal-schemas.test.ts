import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { breakingChanges, internalSchemas } from './internal-schemas.ts';

/**
 * Changes that break nothing, and why: the place as the test names it, then the reason. Removed when the next version is
 * released.
 */
const ALLOWED: Readonly<Record<string, string>> = {};

const released: unknown = JSON.parse(readFileSync(new URL('../released-schemas.json', import.meta.url), 'utf8'));

it('messages, internal requests and what is read in their answers are those of the released version, or add to them (released-schemas.json)', () => {
  expect(breakingChanges(released, internalSchemas())).toEqual(Object.keys(ALLOWED));
});

it('has each internal route of a service: its request, what is read in its answer, or both', () => {
  const root = new URL('../../../', import.meta.url);
  const files = globSync(['services/*/src/http/app.ts', 'packages/shared/src/facts/facts-routes.ts'], { cwd: root });
  const routes = files.flatMap((file) =>
    [...readFileSync(new URL(file, root), 'utf8').matchAll(/app\.(?:get|post)\('(\/internal\/[^']+)'/g)].map(([, path = '']) => path),
  );
  const listed = Object.keys(internalSchemas()).map((name) => name.split(' ')[0]);
  // Asked with its path alone, and answered with its status.
  const withoutBodies = ['/internal/saved-cards/:bindingId/revoke'];
  expect(routes.length).toBeGreaterThan(9);
  expect(routes.filter((route) => !listed.includes(route))).toEqual(withoutBodies);
});

describe('breakingChanges', () => {
  const members = { id: z.uuid(), note: z.string().optional(), state: z.enum(['OPEN', 'DONE']) };
  const changesTo = (next: z.ZodType) => {
    const of = (schema: z.ZodType) => ({ 'a.fact': z.toJSONSchema(schema) });
    return breakingChanges(of(z.object({ ...members, within: z.object(members) })), of(next));
  };
  const within = z.object(members);

  it.each<[string, z.ZodType, string[]]>([
    ['nothing', z.object({ ...members, within }), []],
    ['an optional member more', z.object({ ...members, within, more: z.string().optional() }), []],
    ['a required member more', z.object({ ...members, within, more: z.string() }), ['a.fact.more: is required now']],
    ['a member less', z.object({ id: members.id, state: members.state, within }), ['a.fact.note: is gone']],
    [
      'a required member less',
      z.object({ state: members.state, note: members.note, within }),
      ['a.fact.id: is gone', 'a.fact.id: is optional now'],
    ],
    ['an optional member required', z.object({ ...members, within, note: z.string() }), ['a.fact.note: is required now']],
    ['a required member optional', z.object({ ...members, within, id: z.uuid().optional() }), ['a.fact.id: is optional now']],
    ['a value more', z.object({ ...members, within, state: z.enum(['OPEN', 'DONE', 'GONE']) }), ['a.fact.state.enum: is another']],
    ['another type', z.object({ ...members, within, note: z.number().optional() }), ['a.fact.note.type: is another']],
    ['the same further down', z.object({ ...members, within: within.extend({ more: z.int() }) }), ['a.fact.within.more: is required now']],
  ])('%s', (_name, next, changes) => {
    expect(changesTo(next)).toEqual(changes);
  });

  it('takes a schema more, and names one less', () => {
    expect(breakingChanges({ a: {} }, { a: {}, b: {} })).toEqual([]);
    expect(breakingChanges({ a: {}, b: {} }, { a: {} })).toEqual(['b: is another']);
  });
});
