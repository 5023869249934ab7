import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, it } from '@jest/globals';
import { openApiDocument } from './openapi.ts';
import { operatorDocument } from './operator/openapi.ts';

/** Every rule that Redocly has, but for these. */
const WITHOUT = {
  // The contract's own paths, types and error bodies.
  'path-segment-plural': 'off',
  'paths-kebab-case': 'off',
  'operation-4xx-problem-details-rfc7807': 'off',
  'response-mime-type': 'off',
  // Taste: the order is that of the pages, a summary says it all, whole bodies are the examples.
  'tags-alphabetical': 'off',
  'path-http-verbs-order': 'off',
  'operation-description': 'off',
  'scalar-property-missing-example': 'off',
  'required-string-property-missing-min-length': 'off',
  // Whoever runs the service has one; the project does not.
  'info-contact': 'off',
} as const;

const linted = async (document: object): Promise<string[]> => {
  const config = await createConfig({ extends: ['all'], rules: WITHOUT });
  const problems = await lintFromString({ source: JSON.stringify(document), config });
  return problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer ?? ''}: ${message}`);
};

describe('Redocly finds nothing in', () => {
  it.each([
    ['docs/openapi.json', openApiDocument()],
    ['the document of the operator API', operatorDocument()],
  ])('%s', async (_name, document) => {
    expect(await linted(document)).toEqual([]);
  });

  it('and would find an example that does not fit its schema', async () => {
    const text = JSON.stringify(openApiDocument()).replace('"orderID":"A-1"', '"orderID":"A 1"');
    expect(await linted(JSON.parse(text) as object)).toEqual([expect.stringMatching(/^no-invalid-media-type-examples .*orderID/)]);
  });
});
