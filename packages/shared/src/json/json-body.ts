import { invalidField } from '../errors/api-error.ts';
import { fieldPath } from '../errors/field-path.ts';

/** A number of the body as it was written. The double it would become is never used (spec/decisions#amount-limits). */
export class JsonNumber {
  readonly token: string;
  constructor(token: string) {
    this.token = token;
  }
}

/** Bodies of this API are flat records; sixteen levels are generous and keep the parser's stack small. */
const DEPTH_MAX = 16;
/** Names with a meaning for JavaScript objects and none for this API. */
const FORBIDDEN_NAMES = new Set(['__proto__', 'constructor', 'prototype']);

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Parses a request body. Numbers become JsonNumber. Refused with 400: invalid UTF-8, a byte order mark, anything RFC
 * 8259 does not allow, nesting over 16, a duplicate name in one object (however it is spelled), prototype names, a lone
 * surrogate or U+0000 (PostgreSQL stores neither).
 */
export function parseJson(bytes: Buffer): unknown {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw invalidField('body', 'must be UTF-8');
  }
  checkStructure(text);
  try {
    return JSON.parse(text, keepNumberTokens);
  } catch {
    throw invalidField('body', 'must be valid JSON');
  }
}

function keepNumberTokens(_name: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' ? new JsonNumber(context?.source ?? String(value)) : value;
}

/** An open bracket: where we are in it, and the names so far; an array has none. */
type Open = { at: string | number; readonly names: Set<string> | undefined };

/**
 * Checks what JSON.parse does not report: depth, names, and text that cannot be stored. Walks the tokens once, without
 * recursion; JSON.parse decides whether the text is JSON at all.
 */
function checkStructure(text: string): void {
  const open: Open[] = [];
  for (let index = 0; index < text.length; index += 1) {
    const char = text[index];
    if (char === '{' || char === '[') {
      open.push(char === '{' ? { at: '', names: new Set() } : { at: 0, names: undefined });
      if (open.length > DEPTH_MAX) throw invalidField('body', `must not nest deeper than ${String(DEPTH_MAX)} levels`);
    } else if (char === '}' || char === ']') {
      open.pop();
    } else if (char === ',') {
      const inner = open.at(-1);
      if (typeof inner?.at === 'number') inner.at += 1;
    } else if (char === '"') {
      const end = endOfString(text, index);
      checkString(text.slice(index, end), isName(text, end), open);
      index = end - 1;
    }
  }
}

function checkString(literal: string, isBeforeColon: boolean, open: readonly Open[]): void {
  const inner = open.at(-1);
  if (isBeforeColon && inner?.names !== undefined) {
    inner.at = addName(inner.names, literal, open.slice(0, -1));
  } else if (literal.includes('\\u') && !canBeStored(readString(literal))) {
    throw invalidField(pathOf(open), 'must contain neither U+0000 nor a lone surrogate');
  }
}

const pathOf = (open: readonly Open[]): string => fieldPath(open.map(({ at }) => at));

/** Only an escape can make such a text: the bytes are UTF-8, and JSON has no control character that is not escaped. */
const canBeStored = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

function readString(literal: string): string {
  let value: unknown;
  try {
    value = JSON.parse(literal);
  } catch {
    throw invalidField('body', 'must be valid JSON');
  }
  if (typeof value !== 'string') throw invalidField('body', 'must be valid JSON');
  return value;
}

function addName(names: Set<string>, literal: string, outer: readonly Open[]): string {
  const name = readString(literal);
  if (!canBeStored(name)) throw invalidField(pathOf(outer), 'must have no name with U+0000 or a lone surrogate');
  const refuse = (message: string) => invalidField(fieldPath([...outer.map(({ at }) => at), name]), message);
  if (names.has(name)) throw refuse('occurs twice');
  if (FORBIDDEN_NAMES.has(name)) throw refuse('is not a field of this request');
  names.add(name);
  return name;
}

/** The index after the closing quote of the string that opens at `start`. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at + 1;
  }
  throw invalidField('body', 'must be valid JSON');
}

function isName(text: string, after: number): boolean {
  let at = after;
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at += 1;
  return text[at] === ':';
}
