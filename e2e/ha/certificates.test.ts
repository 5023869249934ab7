import { expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { namesOf } from './certificates.ts';
import { HOSTS } from './network.ts';

it('the page names what is in the certificates of the drill', () => {
  const page = readFileSync(new URL('../../deploy/ha/README.md', import.meta.url), 'utf8');
  const [, table = ''] = page.split('names in the certificate');
  const named = [...table.matchAll(/^\| `([a-z]+)-1`.*?\| the host's(.*?)\|$/gm)].map(
    ([, kind = '', more = '']) => [kind, [...more.matchAll(/`([a-z]+)`/g)].map(([, name]) => name)] as const,
  );
  const kinds = new Set(HOSTS.map((host) => host.split('-')[0] ?? ''));
  expect(new Map(named)).toEqual(
    new Map([...kinds].map((kind) => [kind, namesOf(HOSTS.find((host) => host.startsWith(kind)) ?? 'db-1').slice(1)])),
  );
});
