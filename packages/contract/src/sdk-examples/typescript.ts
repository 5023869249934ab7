import type { Sample, Value } from './sample.ts';

export const TYPESCRIPT_SETUP = `import { readFileSync } from 'node:fs';
import { createClient, everyItem } from '@pay/sdk';

const { API_URL = '', PARTNER_ID = '', PUBLIC_KEY = '', PRIVATE_KEY_FILE = '' } = process.env;
const client = createClient({
  baseUrl: API_URL, // the origin: a signature covers the whole path
  partnerID: PARTNER_ID,
  publicKey: PUBLIC_KEY, // ssh-ed25519 AAAA…, exactly as registered
  privateKeyPem: readFileSync(PRIVATE_KEY_FILE, 'utf8'),
});
`;

/** The call of `packages/sdk`. */
export function typescriptExample({ call, places, body, query, result, shown }: Sample): string {
  const given = places.map(quoted);
  const show = `console.log(${result}.${shown});`;
  if (call.answer.shape === 'page') {
    const page = Object.keys(query).length === 0 ? 'page' : `{ ${members(query).join(', ')}, ...page }`;
    return `for await (const ${result} of everyItem((page) => client.${call.name}(${[...given, page].join(', ')}))) {\n  ${show}\n}\n`;
  }
  if (body !== undefined) given.push(literal(body));
  const called = `await client.${call.name}(${given.join(', ')})`;
  return call.answer.shape === 'items' ? `for (const ${result} of ${called}) {\n  ${show}\n}\n` : `const ${result} = ${called};\n${show}\n`;
}

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

function literal(value: Value, indent = ''): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object') return String(value);
  const inner = `${indent}  `;
  if (Array.isArray(value)) return `[${value.map((one: Value) => literal(one, inner)).join(', ')}]`;
  return `{\n${members(value, inner)
    .map((line) => `${inner}${line},\n`)
    .join('')}${indent}}`;
}

const members = (record: object, indent = ''): string[] =>
  Object.entries(record).map(([name, value]: [string, Value]) => `${name}: ${literal(value, indent)}`);
