import type { SdkExample } from '@pay/contract/sdk-examples/sdk-examples.ts';
import { byTag, type ApiDocument, type Placed, type Response } from './document.ts';
import { codeBlock } from './highlight.ts';
import { escape, slug } from './html.ts';
import { anchorTo } from './markdown.ts';
import type { Place } from './page.ts';
import { fieldsOf, parametersOf, prose } from './schema.ts';
import { tryForm } from './try-form.ts';

/** The examples of an operation, by operationId; none for one that the SDKs do not call. */
export type ExamplesOf = ReadonlyMap<string, readonly SdkExample[]>;

/** One operation or callback as the search finds it. */
export type Found = { readonly id: string; readonly title: string; readonly text: string };

export type Reference = {
  readonly html: string;
  readonly places: readonly Place[];
  readonly found: readonly Found[];
};

/** Every operation and callback of an OpenAPI document on one page, each with an anchor of its operationId. */
export function renderReference(document: ApiDocument, examples: ExamplesOf): Reference {
  const groups = byTag(document).filter(({ operations }) => operations.length > 0);
  const parts = groups.map(({ tag, operations }) => {
    const id = slug(tag.name);
    const shown = operations.map((one) => operationOf(one, document, examples.get(one.operation.operationId) ?? []));
    return `<section aria-labelledby="${id}"><h2 id="${id}">${escape(tag.name)}${anchorTo(id)}</h2><p>${prose(tag.description)}</p>${shown.join('')}</section>`;
  });
  return {
    html: parts.join('\n'),
    places: groups.map(({ tag, operations }) => ({
      id: slug(tag.name),
      title: tag.name,
      places: operations.map((one) => ({ id: one.operation.operationId, title: titleOf(one) })),
    })),
    found: groups.flatMap(({ operations }) =>
      operations.map((one) => ({
        id: one.operation.operationId,
        title: titleOf(one),
        text: `${one.isCallback ? '' : `${one.method} ${one.path} `}${one.operation.operationId} ${one.operation.summary}`,
      })),
    ),
  };
}

/** `createCardPayment` is "Create card payment"; a callback is called by its event. */
const titleOf = ({ operation, path, isCallback }: Placed): string => {
  if (isCallback) return path;
  const words = operation.operationId.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1).replace(/\b(qr|usdt)\b/gi, (word) => word.toUpperCase());
};

function operationOf(placed: Placed, document: ApiDocument, examples: readonly SdkExample[]): string {
  const { operation, method, path, isCallback } = placed;
  const { operationId: id, summary, description } = operation;
  const endpoint = isCallback
    ? '<p class="endpoint"><span class="method post">POST</span> <code>your callbackUrl</code></p>'
    : `<p class="endpoint"><span class="method ${method.toLowerCase()}">${method}</span> <code>${escape(path)}</code></p>`;
  return `<section class="operation" aria-labelledby="${id}">
<div class="about">
<h3 id="${id}">${escape(titleOf(placed))}${anchorTo(id)}</h3>
${endpoint}
<p>${prose(summary)}${/[.!?]$/.test(summary) ? '' : '.'}${description === undefined ? '' : ` ${prose(description)}`}</p>
${requestOf(placed, document)}
${responsesOf(placed, document)}
</div>
<div class="code">
${examplesOf(placed, examples)}
${examples.length === 0 ? '' : tryForm(placed)}
</div>
</section>
`;
}

function requestOf({ operation, isCallback }: Placed, { components }: ApiDocument): string {
  const of = (place: 'path' | 'query' | 'header', title: string) => {
    const parameters = operation.parameters.filter((one) => one.in === place);
    return parameters.length === 0 ? '' : `<h4>${title}</h4>${parametersOf(parameters, components.schemas)}`;
  };
  const headers = of('header', 'Headers');
  const body = operation.requestBody?.content['application/json'];
  const fields = body === undefined ? '' : fieldsOf(body.schema, components.schemas);
  return [
    of('path', 'Path'),
    of('query', 'Query'),
    // Those of all callbacks are the same.
    isCallback ? `<details><summary>Headers</summary>${headers}</details>` : headers,
    fields === '' ? '' : `<h4>Body</h4>${fields}`,
  ].join('');
}

function responsesOf({ operation, isCallback }: Placed, { components }: ApiDocument): string {
  const all = Object.entries(operation.responses);
  if (isCallback) return `<h4>What you answer</h4>${statusTable(all)}`;
  const [good, bad] = [all.filter(([status]) => status.startsWith('2')), all.filter(([status]) => !status.startsWith('2'))];
  const shown = good.map(([status, { content }]) => {
    const schema = content['application/json']?.schema;
    const fields = schema === undefined ? '' : fieldsOf(schema, components.schemas);
    const types = Object.keys(content)
      .map((type) => `<code>${escape(type)}</code>`)
      .join(' or ');
    const members = fields === '' ? '' : `<details><summary>Members of the response</summary>${fields}</details>`;
    return `<h4>Response ${escape(status)}</h4>${types === '' ? '' : `<p class="limits">${types}</p>`}${members}`;
  });
  const statuses = bad.map(([status]) => status).join(', ');
  const errors = bad.length === 0 ? '' : `<details><summary>Errors: ${escape(statuses)}</summary>${statusTable(bad)}</details>`;
  return shown.join('') + errors;
}

/** A row for each status, and a line for each code that it comes with. */
function statusTable(responses: readonly (readonly [string, Response])[]): string {
  const rows = responses.map(([status, { description }]) => {
    const lines = description
      .split(/(?<=[^A-Z])\. (?=[A-Z_]{4,}: )/)
      .map((line) => prose(line).replace(/^([A-Z][A-Z_]+): /, '<code>$1</code> '));
    return `<tr><th scope="row">${escape(status)}</th><td>${lines.join('<br>')}</td></tr>`;
  });
  return `<div class="scroll" tabindex="0"><table><tbody>${rows.join('')}</tbody></table></div>`;
}

function examplesOf(placed: Placed, examples: readonly SdkExample[]): string {
  const { operation, isCallback } = placed;
  const blocks = examples.map(({ id, title, code }) => block(title, code, id, id));
  const body = operation.requestBody?.content['application/json']?.example;
  if (isCallback && body !== undefined) blocks.push(block('Body', pretty(body), 'json'));
  const good = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
  for (const [status, { content }] of good) {
    for (const [type, { example }] of Object.entries(content)) {
      if (example === undefined) continue;
      const isJson = type === 'application/json';
      const text = typeof example === 'string' ? example : pretty(example);
      blocks.push(block(`Response ${status}${isJson ? '' : `, ${type}`}`, text, isJson ? 'json' : 'text'));
    }
  }
  return (examples.length === 0 ? '' : languageButtons(examples)) + blocks.join('');
}

const pretty = (value: unknown): string => JSON.stringify(value, null, 2);

/** The buttons that choose the language of all examples; shown where the script of the page runs. */
export const languageButtons = (examples: readonly Pick<SdkExample, 'id' | 'title'>[]): string =>
  `<div class="languages" role="group" aria-label="Language">${examples
    .map(({ id, title }) => `<button type="button" data-choose="${id}">${escape(title)}</button>`)
    .join('')}</div>`;

/** A titled block of code; with `choice`, it is shown if that language is chosen. */
export function block(title: string, code: string, language: string, choice?: string): string {
  const chosen = choice === undefined ? '' : ` data-language="${choice}"`;
  return `<figure class="example"${chosen}><figcaption>${escape(title)}</figcaption>${codeBlock(code, language)}</figure>`;
}
