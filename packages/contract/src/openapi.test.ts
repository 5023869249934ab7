import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ERRORS } from '@pay/shared/errors/catalogue.ts';
import { OPERATIONS } from './api/operations.ts';
import { EVENTS } from './events.ts';
import { openApiDocument } from './openapi.ts';

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

  it('amounts are numbers in requests and answers of the card API, and strings in events', () => {
    expect(document).toHaveProperty('components.schemas.CreateCardPayment.properties.amount.type', 'number');
    expect(document).toHaveProperty('components.schemas.CardPayment.properties.amount.type', 'number');
    expect(document).toHaveProperty('components.schemas.CardPayment.properties.refundedAmount.type', 'string');
    expect(document).toHaveProperty(
      'components.schemas.PaymentCompletedEvent.properties.data.properties.amount.type',
      'string',
    );
  });
});
