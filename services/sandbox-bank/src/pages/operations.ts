import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { mayMove, OPERATION_STATUSES, type OperationStatus } from '../domain/operation-status.ts';
import type { Operation } from '../domain/operation.ts';
import type { InspectedOperation } from '../use-cases/inspect-operations.ts';
import { facts, layout, money, time, type Content } from './layout.ts';
import type { Words } from './words.ts';

export type OperationsFilter = { readonly id: string; readonly status: OperationStatus | undefined };

type List = {
  readonly operations: readonly Operation[];
  readonly filter: OperationsFilter;
  /** Where the next page starts; undefined on the last. */
  readonly older: string | undefined;
  readonly isFirstPage: boolean;
};

function query(language: string, filter: OperationsFilter, after?: string): string {
  const parameters = new URLSearchParams({ lang: language });
  if (filter.id !== '') parameters.set('id', filter.id);
  if (filter.status !== undefined) parameters.set('status', filter.status);
  if (after !== undefined) parameters.set('after', after);
  return `/?${parameters.toString()}`;
}

/** The bank's operations, newest first, with a filter. */
export function operationsPage(words: Words, { operations, filter, older, isFirstPage }: List): VNode {
  const w = words.operations;
  return layout({
    words,
    title: w.title,
    wide: true,
    otherLanguageHref: query(words.language === 'ru' ? 'en' : 'ru', filter),
    content: html`
      ${filterForm(words, filter)} ${operations.length === 0 ? html`<p>${w.none}</p>` : table(words, operations)}
      <p class="paging">
        ${isFirstPage ? null : html`<a href=${query(words.language, filter)}>${w.newest}</a>`}
        ${older === undefined ? null : html`<a href=${query(words.language, filter, older)}>${w.older}</a>`}
      </p>
    `,
  });
}

function filterForm(words: Words, filter: OperationsFilter): VNode {
  const w = words.operations;
  return html`<form class="filter" method="get" action="/" aria-label=${w.filter}>
    <input type="hidden" name="lang" value=${words.language} />
    <label>${w.id} <input name="id" value=${filter.id} autocomplete="off" spellcheck="false" /></label>
    <label>
      ${w.status}
      <select name="status">
        <option value="">${w.anyStatus}</option>
        ${OPERATION_STATUSES.map(
          (status) => html`<option value=${status} selected=${status === filter.status}>${words.statuses[status]}</option>`,
        )}
      </select>
    </label>
    <button>${w.show}</button>
  </form>`;
}

function table(words: Words, operations: readonly Operation[]): VNode {
  const w = words.operations;
  const headings = [w.created, w.merchantId, w.kind, words.amount, w.status, words.card];
  return html`<div class="scroll" role="region" aria-label=${w.list} tabindex="0">
    <table>
      <caption>
        ${w.list}
      </caption>
      <thead>
        <tr>
          ${headings.map((heading) => html`<th scope="col">${heading}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${operations.map(
          (operation) =>
            html`<tr>
              <td>${time(words, operation.createdAt)}</td>
              <td>
                <a href=${`/operations/${operation.operationId}?lang=${words.language}`}>${operation.operationId}</a>
              </td>
              <td>${kindOf(words, operation)}</td>
              <td class="number">${money(words, operation.amountKopecks)}</td>
              <td>${statusOf(words, operation)}</td>
              <td>${operation.cardMask}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function kindOf(words: Words, { kind, method }: Operation): string {
  return `${words.kinds[kind]}, ${method}`;
}

function statusOf(words: Words, { status, reason }: Operation): Content {
  return html`<span class=${`status ${status}`}>${words.statuses[status]}</span>${reason === null ? '' : ` (${reason})`}`;
}

/** One operation with its history, and the decision buttons while it is open. */
export function operationPage(words: Words, { operation, history }: InspectedOperation): VNode {
  const w = words.operations;
  const path = `/operations/${operation.operationId}`;
  const optional = (term: string, value: Content): readonly (readonly [string, Content])[] => (value === null ? [] : [[term, value]]);
  return layout({
    words,
    title: w.details,
    wide: true,
    otherLanguageHref: `${path}?lang=${words.language === 'ru' ? 'en' : 'ru'}`,
    content: html`
      <p class="sum">${money(words, operation.amountKopecks)}</p>
      ${facts([
        [w.status, statusOf(words, operation)],
        [w.kind, kindOf(words, operation)],
        [words.purpose, operation.description === '' ? words.noPurpose : operation.description],
        [w.merchantId, operation.operationId],
        [w.bankId, operation.bankOperationId],
        ...optional(w.original, operation.originalOperationId),
        ...optional(words.card, operation.cardMask),
        [w.created, time(words, operation.createdAt)],
        [w.updated, time(words, operation.updatedAt)],
        ...optional(w.expires, operation.expiresAt === null ? null : time(words, operation.expiresAt)),
      ])}
      ${mayMove(operation.status, 'APPROVED') ? decisionForm(words, path) : null}
      <h2>${w.history}</h2>
      <ol class="history">
        ${history.map(({ at, event, detail }) => html`<li>${time(words, at)} ${words.events[event]} ${detail ?? ''}</li>`)}
      </ol>
      <p><a href=${`/?lang=${words.language}`}>${w.back}</a></p>
    `,
  });
}

function decisionForm(words: Words, path: string): VNode {
  const w = words.operations;
  return html`<h2>${w.decide}</h2>
    <p>${w.decideLead}</p>
    <form method="post" action=${`${path}/decide?lang=${words.language}`}>
      <button class="yes" name="decision" value="approve">${w.approve}</button>
      <button class="no" name="decision" value="decline">${w.decline}</button>
    </form>`;
}
