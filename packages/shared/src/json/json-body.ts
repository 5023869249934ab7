import { ApiError, invalidField } from '../errors/api-error.ts';

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
  let value: unknown;
  try {
    value = JSON.parse(text, keepNumberTokens);
  } catch (error) {
    throw error instanceof ApiError ? error : invalidField('body', 'must be valid JSON');
  }
  return value;
}

function keepNumberTokens(_name: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value === 'number') return new JsonNumber(context?.source ?? String(value));
  if (typeof value === 'string') checkText(value);
  return value;
}

function checkText(value: string): void {
  if (value.includes('\0') || !value.isWellFormed())
    throw invalidField('body', 'must contain neither U+0000 nor a lone surrogate');
}

/**
 * Checks what JSON.parse does not report: depth and duplicate names. Walks the tokens once, without recursion;
 * JSON.parse decides whether the text is JSON at all.
 */
function checkStructure(text: string): void {
  // For each open bracket the names so far; undefined for an array.
  const open: (Set<string> | undefined)[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '{' || char === '[') {
      open.push(char === '{' ? new Set() : undefined);
      if (open.length > DEPTH_MAX) throw invalidField('body', `must not nest deeper than ${String(DEPTH_MAX)} levels`);
    } else if (char === '}' || char === ']') {
      open.pop();
    } else if (char === '"') {
      const end = endOfString(text, at);
      const names = open.at(-1);
      if (names !== undefined && isName(text, end)) addName(names, text.slice(at, end));
      at = end - 1;
    }
  }
}

function addName(names: Set<string>, literal: string): void {
  let name: unknown;
  try {
    name = JSON.parse(literal);
  } catch {
    throw invalidField('body', 'must be valid JSON');
  }
  if (typeof name !== 'string') throw invalidField('body', 'must be valid JSON');
  checkText(name);
  if (names.has(name)) throw invalidField(name, 'occurs twice');
  if (FORBIDDEN_NAMES.has(name)) throw invalidField(name, 'is not a field of this request');
  names.add(name);
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
