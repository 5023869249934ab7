import type { ApiDocument, Parameter, Schema } from './document.ts';
import { escape } from './html.ts';

type Schemas = ApiDocument['components']['schemas'];

/** Deeper than any record of ours: it ends a document whose records contain each other. */
const DEPTH_MAX = 8;

/** The members of a record as a list, those of records within it folded. Empty for what has no members. */
export function fieldsOf(schema: Schema, schemas: Schemas, depth = 0): string {
  const record = recordIn(schema, schemas);
  if (record?.properties === undefined || depth > DEPTH_MAX) return '';
  const { properties, required } = record;
  const items = Object.entries(properties).map(([name, member]) => {
    const inner = fieldsOf(member, schemas, depth + 1);
    const folded = inner === '' ? '' : `<details><summary>Members of ${escape(name)}</summary>${inner}</details>`;
    return field(name, resolve(member, schemas), required.includes(name), schemas) + folded;
  });
  return `<ul class="fields">${items.map((item) => `<li>${item}</li>`).join('')}</ul>`;
}

/** Parameters as the same kind of list. */
export function parametersOf(parameters: readonly Parameter[], schemas: Schemas): string {
  const items = parameters.map(({ name, required, description, schema }) =>
    field(name, { ...schema, description: description ?? schema.description }, required, schemas),
  );
  return `<ul class="fields">${items.map((item) => `<li>${item}</li>`).join('')}</ul>`;
}

function field(name: string, schema: Schema, isRequired: boolean, schemas: Schemas): string {
  const need = isRequired ? '<span class="required">required</span>' : '<span class="optional">optional</span>';
  const said = schema.description ?? schema.anyOf?.find(({ description }) => description !== undefined)?.description;
  const limits = limitsOf(schema, schemas);
  return [
    `<p class="name"><code>${escape(name)}</code> <span class="type">${escape(typeOf(schema, schemas))}</span> ${need}</p>`,
    said === undefined ? '' : `<p>${prose(said)}</p>`,
    limits === '' ? '' : `<p class="limits">${limits}</p>`,
  ].join('');
}

/** Words of a description that are code there are code here. */
export const prose = (text: string): string => escape(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');

/** The record that a schema is, or is a list of. */
function recordIn(schema: Schema, schemas: Schemas): Schema | undefined {
  const found = resolve(schema, schemas);
  if (found.properties !== undefined) return found;
  if (found.items !== undefined) return recordIn(found.items, schemas);
  return found.anyOf?.map((one) => recordIn(one, schemas)).find((one) => one !== undefined);
}

/** The schema itself instead of a reference to it; a description beside the reference is kept. */
export function resolve(schema: Schema, schemas: Schemas): Schema {
  if (schema.$ref === undefined) return schema;
  const named = schemas[nameOf(schema.$ref)];
  if (named === undefined) throw new Error(`the document has no ${schema.$ref}`);
  return { ...named, description: schema.description ?? named.description };
}

const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);

function typeOf(schema: Schema, schemas: Schemas): string {
  const { $ref, anyOf, type, items, format } = schema;
  if ($ref !== undefined) return typeOf(resolve(schema, schemas), schemas);
  if (anyOf !== undefined) return [...new Set(anyOf.map((one) => typeOf(one, schemas)))].join(' or ');
  if (Array.isArray(type)) return type.join(' or ');
  if (type === 'array') return `list of ${items === undefined ? 'anything' : plural(typeOf(items, schemas))}`;
  const shown = format === 'date-time' ? 'moment' : format === 'date' || format === 'uuid' ? format : undefined;
  return shown ?? type ?? 'any';
}

const plural = (type: string): string => (type === 'any' ? 'anything' : `${type}s`);

const codes = (values: readonly unknown[]): string =>
  values.map((value) => `<code>${escape(typeof value === 'string' ? value : JSON.stringify(value))}</code>`).join(' ');

function limitsOf(schema: Schema, schemas: Schemas): string {
  const inner = schema.type === 'array' && schema.items !== undefined ? resolve(schema.items, schemas) : schema;
  const words = inner.enum ?? inner.anyOf?.find((one) => one.enum !== undefined)?.enum;
  const { minLength, maxLength, minimum, maximum, exclusiveMinimum, minItems, maxItems } = schema;
  const said = (word: string, values: readonly unknown[] | undefined) => (values === undefined ? '' : `${word} ${codes(values)}`);
  const only = <Value>(value: Value | undefined) => (value === undefined ? undefined : [value]);
  return [
    said('One of', words),
    said('Always', only(inner.const)),
    rangeOf(minLength, maxLength, 'characters'),
    rangeOf(minItems, maxItems, 'items'),
    rangeOf(minimum, maximum, ''),
    said('More than', only(exclusiveMinimum)),
    said('Default', only(schema.default)),
    said('Such as', words === undefined ? schema.examples : undefined),
  ]
    .filter((one) => one !== '')
    .join(' · ');
}

/** The largest integer that JSON keeps is no limit that anybody meets. */
const met = (limit: number | undefined): number | undefined =>
  limit !== undefined && Math.abs(limit) === Number.MAX_SAFE_INTEGER ? undefined : limit;

function rangeOf(least: number | undefined, most: number | undefined, unit: string): string {
  const [min, max] = [met(least), met(most)];
  if (max !== undefined && min !== undefined) return `${String(min)} to ${String(max)} ${unit}`.trimEnd();
  if (max !== undefined) return `At most ${String(max)} ${unit}`.trimEnd();
  return min === undefined ? '' : `At least ${String(min)} ${unit}`.trimEnd();
}
