import { createElement, Fragment, type ReactNode } from 'react';
import { ENGLISH_OF_SERVICES } from './texts/en-services.ts';
import type { RUSSIAN } from './texts/ru.ts';

/**
 * Everything that the console says, in English. What has no Russian text does not compile. See decisions/console-pages.
 */
export type Text = keyof typeof RUSSIAN;

type NamesIn<T extends string> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
/** What is filled into a text: a value for each `{name}` in it. */
type Values<T extends Text, Value> = [NamesIn<T>] extends [never] ? [] : [Readonly<Record<NamesIn<T>, Value>>];

/** A text into which nothing is filled. */
export type Plain = { [T in Text]: [NamesIn<T>] extends [never] ? T : never }[Text];

/**
 * The texts of the document's language; none where everything is English, as in the partner portal. Every module that says a
 * text waits for them, so that those it says when it is loaded are not English for good.
 */
const translations: Readonly<Record<string, string>> | undefined =
  document.documentElement.lang === 'ru' ? (await import('./texts/russian.ts')).default : undefined;

/** Whether the reader has chosen Russian. */
export const isRussian = (): boolean => translations !== undefined;

/** A text in the reader's language. */
export function t<T extends Text>(text: T, ...[values]: Values<T, string>): string {
  const filled: Readonly<Record<string, string>> = values ?? {};
  return said(text).replaceAll(/\{(\w+)\}/g, (whole, name: string) => filled[name] ?? whole);
}

/** The same with elements filled in. */
export function tx<T extends Text>(text: T, ...[values]: Values<T, ReactNode>): ReactNode {
  const filled: Readonly<Record<string, ReactNode>> = values ?? {};
  // Every second part is a name.
  const parts = said(text).split(/\{(\w+)\}/g);
  return createElement(Fragment, {}, ...parts.map((part, index) => (index % 2 === 0 ? part : filled[part])));
}

/**
 * What a service or the contract says, for people, in the reader's language if there is a text for it. Numbers in it may be anything: the
 * text has `{1}` for the first, and so on.
 */
export function said(text: string): string {
  const english = ENGLISH_OF_SERVICES[text] ?? text;
  const numbers: string[] = [];
  const named = english.replaceAll(/\d+(?:\.\d+)?/g, (number) => `{${String(numbers.push(number))}}`);
  const found = translations?.[english] ?? translations?.[named];
  return found?.replaceAll(/\{(\d+)\}/g, (whole, index: string) => numbers[Number(index) - 1] ?? whole) ?? english;
}
