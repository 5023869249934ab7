import { snake } from '../sdk-python.ts';
import type { Sample, Value } from './sample.ts';

export const PYTHON_SETUP = `import os

from pay_sdk import Client, every_item

env = os.environ
client = Client(
    base_url=env["API_URL"],  # the origin: a signature covers the whole path
    partner_id=env["PARTNER_ID"],
    public_key=env["PUBLIC_KEY"],  # ssh-ed25519 AAAA…, exactly as registered
    private_key_pem=open(env["PRIVATE_KEY_FILE"]).read(),
)
`;

/** The call of `sdks/python`, blocking. */
export function pythonExample({ call, places, body, query, result, shown }: Sample): string {
  const given = places.map((place) => JSON.stringify(place));
  const show = `print(${result}["${shown}"])`;
  const method = `client.${snake(call.name)}`;
  if (call.answer.shape === 'page') {
    const page = Object.keys(query).length === 0 ? 'page' : `{${members(query).join(', ')}, **page}`;
    return `for ${result} in every_item(lambda page: ${method}(${[...given, page].join(', ')})):\n    ${show}\n`;
  }
  if (body !== undefined) given.push(literal(body));
  const called = `${method}(${given.join(', ')})`;
  return call.answer.shape === 'items' ? `for ${result} in ${called}:\n    ${show}\n` : `${result} = ${called}\n${show}\n`;
}

function literal(value: Value, indent = ''): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const inner = `${indent}    `;
  if (Array.isArray(value)) return `[${value.map((one: Value) => literal(one, inner)).join(', ')}]`;
  return `{\n${members(value, inner)
    .map((line) => `${inner}${line},\n`)
    .join('')}${indent}}`;
}

const members = (record: object, indent = ''): string[] =>
  Object.entries(record).map(([name, value]: [string, Value]) => `"${name}": ${literal(value, indent)}`);
