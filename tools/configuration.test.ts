import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { maskedConfig, serviceConfig } from '../packages/shared/src/config/config.ts';
import { z } from 'zod';
import { Config as bindings } from '../services/bindings/src/config.ts';
import { Config as console } from '../services/console/src/config.ts';
import { PortalConfig as portal } from '../services/console/src/portal-config.ts';
import { Config as gateway } from '../services/gateway/src/config.ts';
import { Config as notifier } from '../services/notifier/src/config.ts';
import { CheckoutConfig as checkout } from '../services/payments/src/checkout-config.ts';
import { Config as payments } from '../services/payments/src/config.ts';
import { Config as sandboxBank } from '../services/sandbox-bank/src/config.ts';
import { Config as withdrawals } from '../services/withdrawals/src/config.ts';

const page = readFileSync(new URL('../docs/operate/configuration.md', import.meta.url), 'utf8');

/** What the page says about each variable of a section: its second column. A row may name several. */
function documented(section: string): Readonly<Record<string, string>> {
  const [, text = ''] = page.split(`\n## ${section}\n`);
  const [own = ''] = text.split('\n## ');
  const rows = own.split('\n').filter((line) => line.startsWith('| `'));
  return Object.fromEntries(
    rows.flatMap((row) => {
      const [, names = '', rule = ''] = row.split('|').map((cell) => cell.trim());
      return [...names.matchAll(/`([A-Z0-9_]+)`/g)].map(([, name = '']) => [name, rule]);
    }),
  );
}

/** What the schema says about each variable, in the page's words. */
function configured(schema: z.ZodObject): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(schema.shape).map(([name, rule]) => {
      const absent = z.safeParse(rule, undefined);
      const isSecret = maskedConfig(schema, { [name]: 'x' })[name] === '***';
      return [name, `${absent.success ? defaultOf(absent.data) : 'required'}${isSecret ? ', secret' : ''}`];
    }),
  );
}

function defaultOf(value: unknown): string {
  const isText = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isText ? `\`${String(value)}\`` : 'none';
}

const common = Object.keys(serviceConfig);
const withoutCommon = (rules: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(rules).filter(([name]) => !common.includes(name)));

it('a command beside a service goes to PostgreSQL itself, past a pooler (decisions/pooler)', () => {
  const root = new URL('..', import.meta.url);
  const commands = globSync('services/*/src/*.ts', { cwd: root })
    .map((path) => ({ path, text: readFileSync(new URL(path, root), 'utf8') }))
    .filter(({ path, text }) => text.includes('openDatabase({') && !/main\.ts$|test\.ts$/.test(path));
  expect(commands.length).toBeGreaterThan(7);
  expect(commands.filter(({ text }) => !text.includes('url: directUrlOf(config)')).map(({ path }) => path)).toEqual([]);
});

describe('docs/operate/configuration.md: every variable of the code with its default and whether it is secret, and no other', () => {
  it('every program', () => {
    expect(documented('Every program')).toEqual(configured(z.object(serviceConfig)));
  });

  it.each<[string, z.ZodObject]>([
    ['gateway', gateway],
    ['payments', payments],
    ['checkout', checkout],
    ['bindings', bindings],
    ['withdrawals', withdrawals],
    ['notifier', notifier],
    ['console', console],
    ['portal', portal],
    ['sandbox-bank', sandboxBank],
  ])('%s', (service, schema) => {
    expect(documented(service)).toEqual(withoutCommon(configured(schema)));
  });
});
