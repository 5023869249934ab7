import { createSigner, type RequestToSign } from '@pay/sdk/web.ts';
import { pkcs8Of, publicLineOf, secretOfText } from '@pay/signing/key-text.ts';
import { indented } from './indent.ts';

// Signs requests in the page and sends them to the TEST environment that the page comes from. The key is in a variable of
// this file and nowhere else.

type Signer = Awaited<ReturnType<typeof createSigner>>;

const root = document.querySelector<HTMLMetaElement>('meta[name="docs-root"]')?.content ?? './';
const panel = document.querySelector<HTMLElement>('#try-it');
let signer: Signer | undefined;

/** Shows the forms where the server of this page forwards; a LIVE console and a plain web server do not. */
async function offer(): Promise<void> {
  const response = await fetch(`${root}try.json`);
  const { forwardsTo } = (await response.json()) as { readonly forwardsTo: string | null };
  if (forwardsTo === null || panel === null) return;
  panel.hidden = false;
  panel.querySelector('form')?.addEventListener('submit', (event) => {
    event.preventDefault();
    if (event.target instanceof HTMLFormElement) void useKey(event.target);
  });
  panel.querySelector('[name="generate"]')?.addEventListener('click', () => void generate());
  for (const details of document.querySelectorAll<HTMLElement>('.try')) {
    details.hidden = false;
    const form = details.querySelector('form');
    form?.addEventListener('submit', (event) => {
      event.preventDefault();
      void send(form, `${root}${forwardsTo}`, outputOf(details));
    });
  }
}

const outputOf = (element: HTMLElement): HTMLElement => element.querySelector('output') ?? element;

const field = (form: HTMLFormElement, name: string): string => {
  const element = form.elements.namedItem(name);
  return element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement
    ? element.value
    : '';
};

async function useKey(form: HTMLFormElement): Promise<void> {
  const output = outputOf(panel ?? form);
  const pem = form.elements.namedItem('pem');
  if (!(pem instanceof HTMLTextAreaElement)) return;
  try {
    const privateKeyPem = pem.value;
    const publicKey = await publicKeyOf(privateKeyPem);
    signer = await createSigner({ partnerID: field(form, 'partnerID').trim(), publicKey, privateKeyPem });
    // What is shown is what somebody else may see.
    pem.value = '';
    output.replaceChildren('Requests on this page are signed with this key:', code(publicKey));
  } catch (error) {
    output.textContent = error instanceof Error && error.message !== '' ? error.message : 'This is not an Ed25519 key';
  }
}

async function generate(): Promise<void> {
  const form = panel?.querySelector('form');
  const partner = form?.elements.namedItem('partnerID');
  if (panel === null || form === null || form === undefined || !(partner instanceof HTMLInputElement)) return;
  if (!partner.reportValidity()) return;
  const { privateKey } = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify']);
  const der = new Uint8Array(await crypto.subtle.exportKey('pkcs8', privateKey));
  const privateKeyPem = `-----BEGIN PRIVATE KEY-----\n${base64(der)}\n-----END PRIVATE KEY-----`;
  const publicKey = await publicKeyOf(privateKeyPem);
  signer = await createSigner({ partnerID: partner.value.trim(), publicKey, privateKeyPem });
  outputOf(panel).replaceChildren(
    'A new pair for this tab. Until this public key is registered and activated, every request gets 401:',
    code(publicKey),
  );
}

/** The OpenSSH line of a private key. @throws Error with the sentence for whoever pasted the text */
async function publicKeyOf(text: string): Promise<string> {
  const key = await crypto.subtle.importKey('pkcs8', pkcs8Of(secretOfText(text)), 'Ed25519', true, ['sign']);
  const { x = '' } = await crypto.subtle.exportKey('jwk', key);
  return publicLineOf(Uint8Array.from(atob(x.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0)));
}

const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));

async function send(form: HTMLFormElement, base: string, output: HTMLElement): Promise<void> {
  if (signer === undefined) {
    const link = document.createElement('a');
    link.href = '#try-it';
    link.textContent = 'Say first who signs.';
    output.replaceChildren(link);
    return;
  }
  const request = requestOf(form);
  const { authorization } = await signer(request, new Date());
  const { method, target, idempotencyKey, body } = request;
  const begin = performance.now();
  const response = await fetch(`${base}${target}`, {
    method,
    credentials: 'omit',
    redirect: 'error',
    headers: {
      Authorization: authorization,
      ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: Uint8Array.from(body) }),
  }).catch(() => undefined);
  if (response === undefined) {
    output.textContent = 'No answer';
    return;
  }
  const text = await response.text();
  const line = document.createElement('p');
  line.textContent = `${String(response.status)} in ${(performance.now() - begin).toFixed(0)} ms, X-Request-Id ${response.headers.get('X-Request-Id') ?? 'missing'}`;
  const isJson = response.headers.get('Content-Type')?.includes('json') === true;
  output.replaceChildren(line, code(isJson ? indented(text) : text));
}

/** What the form says, as the bytes that are signed and sent. */
function requestOf(form: HTMLFormElement): RequestToSign {
  const pairs: string[] = [];
  let path = form.dataset['path'] ?? '/';
  for (const element of form.querySelectorAll<HTMLInputElement | HTMLSelectElement>('[data-in]')) {
    const value = encodeURIComponent(element.value.trim());
    if (element.dataset['in'] === 'path') path = path.replace(`{${element.name}}`, value);
    if (element.dataset['in'] === 'query' && value !== '') pairs.push(`${element.name}=${value}`);
  }
  const takesKey = form.elements.namedItem('idempotencyKey') !== null;
  const key = field(form, 'idempotencyKey').trim();
  const body = field(form, 'body').trim();
  return {
    method: form.dataset['method'] ?? 'GET',
    target: pairs.length === 0 ? path : `${path}?${pairs.join('&')}`,
    ...(takesKey ? { idempotencyKey: key === '' ? crypto.randomUUID() : key } : {}),
    ...(body === '' ? {} : { body: new TextEncoder().encode(body) }),
  };
}

function code(text: string): HTMLElement {
  const pre = document.createElement('pre');
  pre.tabIndex = 0;
  const inner = document.createElement('code');
  inner.textContent = text;
  pre.append(inner);
  return pre;
}

void offer();
