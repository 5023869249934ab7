import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ERRORS } from '@pay/shared/errors/catalogue.ts';
import { OPERATIONS } from './api/operations.ts';
import { EVENTS } from './events.ts';
import { openApiDocument } from './openapi.ts';

type Json = Readonly<Record<string, unknown>>;

/** Everything in the document that has a type, but for its examples. */
function schemasOf(value: unknown): Json[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([name, one]) => (/^examples?$/.test(name) ? [] : schemasOf(one)));
  return 'type' in value && !Array.isArray(value) ? [value, ...inner] : inner;
}

describe('docs/openapi.json', () => {
  const document = openApiDocument();
  const text = JSON.stringify(document);

  it('is what the schemas say; `node packages/contract/src/write-openapi.ts` writes it', () => {
    const written: unknown = JSON.parse(readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8'));
    expect(written).toEqual(JSON.parse(text));
  });

  it('every reference leads somewhere', () => {
    const references = [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)];
    expect(references.length).toBeGreaterThan(50);
    const components = document['components'];
    for (const [, kind = '', name = ''] of references) expect(components).toHaveProperty([kind, name]);
  });

  it('every endpoint and every event is in it once', () => {
    expect(
      Object.entries(document['paths'] ?? {})
        .flatMap(([path, item]) => Object.keys(item as object).map((method) => `${method} ${path}`))
        .sort(),
    ).toEqual(OPERATIONS.map(({ method, path }) => `${method} ${path}`).sort());
    expect(Object.keys(document['webhooks'] ?? {})).toEqual(Object.keys(EVENTS));
  });

  it('names each error code that an endpoint may answer, under the status of the catalogue', () => {
    for (const { errors, method, path } of OPERATIONS) {
      for (const code of errors) {
        expect(document).toHaveProperty(
          ['paths', path, method, 'responses', String(ERRORS[code].status), 'description'],
          expect.stringContaining(`${code}: ${ERRORS[code].text}`),
        );
      }
    }
  });

  it('each number has a format, and an integer is one: no generator makes a 32-bit float of it (D3)', () => {
    const numbers = schemasOf(document).filter(({ type }) => [type].flat().some((one) => one === 'number' || one === 'integer'));
    const formats = numbers.map(({ type, format, const: only }) => {
      const wanted = type === 'integer' ? ['int32', 'int64'] : ['double'];
      return wanted.includes(String(format)) && (only === undefined || type === 'integer');
    });
    expect(numbers.length).toBeGreaterThan(60);
    expect(formats).not.toContain(false);
    expect(document).toHaveProperty('components.schemas.PaymentCompletedEvent.properties.schemaVersion', {
      type: 'integer',
      format: 'int32',
      const: 1,
      description: 'The version of this format',
    });
  });

  it('no member is of the type null alone, of which generators make code that does not compile (D2)', () => {
    const members = schemasOf(document).flatMap(({ properties }) =>
      typeof properties === 'object' && properties !== null ? Object.entries(properties) : [],
    );
    expect(members.filter(([, schema]) => (schema as Json)['type'] === 'null')).toEqual([]);
    expect(document).toHaveProperty('components.schemas.PaymentFailedEvent.properties.data.properties.paymentId', {
      type: ['string', 'null'],
      const: null,
      description: 'There is no financial transaction',
    });
  });

  it('amounts are numbers in requests and answers of the card API, and strings in events', () => {
    expect(document).toHaveProperty('components.schemas.CreateCardPayment.properties.amount.type', 'number');
    expect(document).toHaveProperty('components.schemas.CardPayment.properties.amount.type', 'number');
    expect(document).toHaveProperty('components.schemas.CardPayment.properties.refundedAmount.type', 'string');
    expect(document).toHaveProperty('components.schemas.PaymentCompletedEvent.properties.data.properties.amount.type', 'string');
  });
});
