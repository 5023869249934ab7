import fc from 'fast-check';

/** Where a member is in a body: names and indices. */
export type Path = readonly (string | number)[];

/** What any member may be given instead: every type, and texts at the edges of the limits. */
export const ANYTHING = fc.oneof(
  fc.constantFrom(null, true, false, [], {}, '', ' ', '\u0007', 'RUB', '10.50', '0.00', '10.505', '1', '0', '01.00', '-1.00'),
  fc.constantFrom(...[1, 2, 63, 64, 65, 127, 128, 129, 139, 140, 141].map((length) => 'é'.repeat(length))),
  fc.constantFrom(...[64, 128, 140, 141].map((length) => '🍵'.repeat(length))),
  fc.constantFrom(0, -1, 10.5, 1e6),
  fc.uuid(),
  fc.string({ maxLength: 20 }),
);

/** Every member of a body, however deep. */
export function pathsOf(value: unknown): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const key = Array.isArray(value) ? Number(name) : name;
    return [[key], ...pathsOf(member).map((path) => [key, ...path])];
  });
}

/** The body with something else at a path. */
export function changed(value: unknown, [name, ...rest]: Path, to: unknown): unknown {
  if (name === undefined) return to;
  if (Array.isArray(value)) return value.map((item: unknown, at) => (at === name ? changed(item, rest, to) : item));
  const members: Readonly<Record<string, unknown>> = { ...(value as object) };
  return { ...members, [name]: changed(members[name], rest, to) };
}
