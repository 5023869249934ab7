import type { Placed } from './document.ts';
import { escape } from './html.ts';

/** The form that sends a request of its operation to the sandbox. Hidden until the script of the page can send it. */
export function tryForm({ operation, method, path }: Placed): string {
  const { operationId, parameters, requestBody } = operation;
  const inputs = parameters
    .filter((one) => one.in !== 'header')
    .map((one) => {
      const words = one.schema.enum?.filter((word) => word !== null);
      const id = `try-${operationId}-${one.name}`;
      const common = `id="${id}" name="${escape(one.name)}" data-in="${one.in}"${one.required ? ' required' : ''}`;
      const input =
        words === undefined
          ? `<input ${common} autocomplete="off" spellcheck="false">`
          : `<select ${common}><option value=""></option>${words.map((word) => `<option>${escape(word)}</option>`).join('')}</select>`;
      return `<label for="${id}">${escape(one.name)}</label>${input}`;
    });
  const body = requestBody?.content['application/json']?.example;
  const takesKey = parameters.some(({ name }) => name === 'Idempotency-Key');
  return `<details class="try" hidden><summary>Try it in TEST</summary>
<form data-method="${method}" data-path="${escape(path)}">
${inputs.join('\n')}
${takesKey ? labelled(operationId, 'key', 'Idempotency-Key', (id) => `<input id="${id}" name="idempotencyKey" data-in="key" placeholder="empty: a new one" autocomplete="off" spellcheck="false">`) : ''}
${body === undefined ? '' : labelled(operationId, 'body', 'Body', (id) => `<textarea id="${id}" name="body" data-in="body" rows="8" spellcheck="false">${escape(JSON.stringify(body, null, 2))}</textarea>`)}
<button type="submit">Sign and send</button>
</form>
<output role="status"></output>
</details>`;
}

function labelled(operationId: string, name: string, title: string, input: (id: string) => string): string {
  const id = `try-${operationId}-${name}`;
  return `<label for="${id}">${title}</label>${input(id)}`;
}

/** Where a person says who signs. Hidden until the script of the page can send. */
export const TRY_PANEL = `<section id="try-it" class="panel" aria-labelledby="try-it-title" hidden>
<h2 id="try-it-title">Try it</h2>
<p>Sign requests to this TEST environment in the page. The private key stays in the memory of this tab: it is neither stored nor sent, and gone
when you leave the page. Use a TEST key only.</p>
<form>
<label for="try-partner">partnerID</label><input id="try-partner" name="partnerID" required autocomplete="off" spellcheck="false">
<label for="try-pem">Private key</label><textarea id="try-pem" name="pem" rows="4" autocomplete="off" spellcheck="false" placeholder="-----BEGIN PRIVATE KEY-----"></textarea>
<p class="buttons"><button type="submit">Use this key</button> <button type="button" name="generate">Make a new pair</button></p>
</form>
<output role="status"></output>
</section>`;
