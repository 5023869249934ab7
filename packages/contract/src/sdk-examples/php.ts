import type { Sample, Value } from './sample.ts';

export const PHP_SETUP = `<?php

require __DIR__ . '/pay-sdk-0.1.0.phar';

use Pay\\Sdk\\Client;

$client = new Client(
    baseUrl: getenv('API_URL'), // the origin: a signature covers the whole path
    partnerID: getenv('PARTNER_ID'),
    publicKey: getenv('PUBLIC_KEY'), // ssh-ed25519 AAAA…, exactly as registered
    privateKeyPem: file_get_contents(getenv('PRIVATE_KEY_FILE')),
);
`;

/** The call of `sdks/php`. */
export function phpExample({ call, places, body, query, result, shown }: Sample): string {
  const given = places.map(quoted);
  const show = `echo $${result}['${shown}'], "\\n";`;
  if (call.answer.shape === 'page') {
    const page = Object.keys(query).length === 0 ? '$page' : `[${members(query).join(', ')}] + $page`;
    return `foreach ($client->everyItem(fn ($page) => $client->${call.name}(${[...given, page].join(', ')})) as $${result}) {\n    ${show}\n}\n`;
  }
  if (body !== undefined) given.push(literal(body));
  const called = `$client->${call.name}(${given.join(', ')})`;
  return call.answer.shape === 'items' ? `foreach (${called} as $${result}) {\n    ${show}\n}\n` : `$${result} = ${called};\n${show}\n`;
}

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

function literal(value: Value, indent = ''): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object') return String(value);
  const inner = `${indent}    `;
  if (Array.isArray(value)) return `[${value.map((one: Value) => literal(one, inner)).join(', ')}]`;
  return `[\n${members(value, inner)
    .map((line) => `${inner}${line},\n`)
    .join('')}${indent}]`;
}

const members = (record: object, indent = ''): string[] =>
  Object.entries(record).map(([name, value]: [string, Value]) => `'${name}' => ${literal(value, indent)}`);
