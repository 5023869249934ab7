import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parseJson } from '@pay/shared/json/json-body.ts';
import { ERROR_CODES, ErrorBody } from '../api/errors.ts';
import { OPERATIONS } from '../api/operations.ts';
import { Receipt } from '../api/receipt.ts';
import { EVENTS, PaymentCompletedEvent } from '../events.ts';
import { openApiDocument } from '../openapi.ts';
import { errorExample } from './errors.ts';
import { EVENT_EXAMPLES } from './events.ts';
import { OTHER_EXAMPLES } from './others.ts';
import { PAYMENT_EXAMPLES } from './payments.ts';

const examples = { ...PAYMENT_EXAMPLES, ...OTHER_EXAMPLES };

describe('the examples of the document', () => {
  it('there is one of each operation, and no other', () => {
    expect(Object.keys(examples).sort()).toEqual(OPERATIONS.map(({ operationId }) => operationId).sort());
  });

  it.each(OPERATIONS)('$operationId: a request that the service takes, a response as it renders it', (operation) => {
    const { request, response, csv, stream } = examples[operation.operationId] ?? {};
    expect(operation.response?.parse(response)).toEqual(response);
    expect(stream === undefined).toBe(operation.response !== undefined);
    expect(csv === undefined).toBe(operation.isAlsoCsv !== true);
    expect(request === undefined).toBe(operation.request === undefined);
    // As a service reads it: numbers by their digits.
    if (request !== undefined) operation.request?.parse(parseJson(Buffer.from(JSON.stringify(request))));
  });

  it.each(Object.entries(EVENTS))('%s', (type, schema) => {
    const example: unknown = Object.entries(EVENT_EXAMPLES).find(([name]) => name === type)?.[1];
    expect(schema.parse(example)).toEqual(example);
    expect(example).toMatchObject({ type });
  });

  it.each(ERROR_CODES.flatMap((code) => [errorExample(code), errorExample(code, true)]))('%j', (body) => {
    expect(ErrorBody.parse(body)).toEqual(body);
  });

  it('every link leads to an operation, by parameters that it has', () => {
    const text = JSON.stringify(openApiDocument());
    const links = [...text.matchAll(/\{"operationId":"(\w+)","parameters":\{([^}]*)\}\}/g)];
    expect(links.length).toBeGreaterThan(20);
    for (const [, operationId = '', parameters = ''] of links) {
      const target = OPERATIONS.find((one) => one.operationId === operationId);
      const inPath = [...(target?.path ?? '').matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      for (const [, name] of parameters.matchAll(/"(\w+)":/g)) expect([...inPath, 'pageToken']).toContain(name);
    }
  });
});

describe('the JSON of the pages', () => {
  it.each([
    ['partners/callbacks.md', PaymentCompletedEvent],
    ['partners/receipts.md', Receipt],
    ['partners/errors.md', ErrorBody],
  ])('docs/%s is what its schema says', (page, schema) => {
    const text = readFileSync(new URL(`../../../../docs/${page}`, import.meta.url), 'utf8');
    const blocks = [...text.matchAll(/^```json\n(.*?)^```/gms)].map(([, json = '']): unknown => JSON.parse(json));
    expect(blocks.length).toBeGreaterThan(0);
    for (const block of blocks) expect(schema.parse(block)).toEqual(block);
  });
});

describe('the document says of everything what it is', () => {
  type Node = Readonly<Record<string, unknown>>;
  const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;
  const document = openApiDocument();

  /** The members of every record, wherever it is, without a description or a reference to what has one. */
  function undescribed(value: unknown, path: string): string[] {
    if (!isNode(value)) return [];
    const members = isNode(value['properties']) && path.includes('/schemas/') ? Object.entries(value['properties']) : [];
    return [
      ...members.flatMap(([name, member]) => (isNode(member) && ('description' in member || '$ref' in member) ? [] : [`${path}.${name}`])),
      ...Object.entries(value)
        .filter(([name]) => !['then', 'else', 'if', 'not'].includes(name))
        .flatMap(([name, inner]) => undescribed(inner, `${path}/${name}`)),
    ];
  }

  it('every member of every record', () => {
    expect(undescribed(document, '')).toEqual([]);
  });

  it('every parameter', () => {
    const parameters = OPERATIONS.flatMap(({ path, method }) => {
      const own = (document['paths'] as Record<string, Record<string, { parameters?: Node[] }>>)[path]?.[method];
      return (own?.parameters ?? []).map((one) => ({ path, ...one }));
    });
    expect(parameters.length).toBeGreaterThan(60);
    expect(parameters.filter((one) => !('description' in one))).toEqual([]);
  });
});
