// @ts-check
// The card page's own script. The form works without it. With it a field is checked when it is left and before the card is sent, the
// page stays where it is until the bank has answered, and whatever went right stays typed.

/** @typedef {'number' | 'expiry' | 'cvv'} Field */

/** @type {readonly Field[]} */
const FIELDS = ['number', 'expiry', 'cvv'];

const form = document.querySelector('[data-card-form]');
if (form instanceof HTMLFormElement) {
  checkFields(form);
  showBrand(form);
  sendOnce(form);
  fillTestCards(form);
}

/** @param {HTMLFormElement} form @param {Field} field @returns {HTMLInputElement} */
function inputOf(form, field) {
  const input = form.elements.namedItem(field);
  if (!(input instanceof HTMLInputElement)) throw new Error(`no field ${field}`);
  return input;
}

/** Checks a field when the buyer leaves it, and what is marked as wrong at each key. @param {HTMLFormElement} form */
function checkFields(form) {
  // A problem that appears moves the button down. It must not do that under the finger that is pressing it.
  let isPressing = false;
  form.querySelector('button')?.addEventListener('pointerdown', () => {
    isPressing = true;
  });
  for (const end of ['pointerup', 'pointercancel']) {
    window.addEventListener(end, () => {
      isPressing = false;
    });
  }
  for (const field of FIELDS) {
    const input = inputOf(form, field);
    input.addEventListener('input', (event) => {
      if (field === 'expiry' && 'inputType' in event && event.inputType === 'insertText') groupExpiry(input);
      if (input.getAttribute('aria-invalid') === 'true' && problemOf(form, field) === undefined) showProblem(form, field);
    });
    input.addEventListener('blur', () => {
      tidy(field, input);
      // Nobody is told off for a field that they have not come to yet.
      if (!isPressing && input.value.trim() !== '') showProblem(form, field, problemOf(form, field));
    });
  }
}

/**
 * Marks a field as wrong, or as right.
 * @param {HTMLFormElement} form @param {Field} field @param {string} [problem] its name in the server's list
 */
function showProblem(form, field, problem) {
  const input = inputOf(form, field);
  const line = form.querySelector(`#${field}-problem`);
  const words = line?.querySelector('span');
  if (!(line instanceof HTMLElement) || !words) return;
  /** @type {Record<string, string>} */
  const texts = JSON.parse(form.dataset['problems'] ?? '{}');
  words.textContent = problem === undefined ? '' : (texts[problem] ?? '');
  line.hidden = problem === undefined;
  if (problem === undefined) input.removeAttribute('aria-invalid');
  else input.setAttribute('aria-invalid', 'true');
  input.closest('.field')?.classList.toggle('wrong', problem !== undefined);
}

/**
 * Marks these fields, and takes the buyer to the first. @param {HTMLFormElement} form @param {readonly { field: Field, problem: string }[]}
 * problems
 */
function showProblems(form, problems) {
  for (const field of FIELDS) showProblem(form, field, problems.find((found) => found.field === field)?.problem);
  const [first] = problems;
  if (first === undefined) return;
  const input = inputOf(form, first.field);
  input.focus({ preventScroll: true });
  input.closest('.field')?.scrollIntoView({ block: 'center' });
}

/**
 * What is surely wrong with a field. The server has the last word: only it knows what this shop takes.
 * @param {HTMLFormElement} form @param {Field} field @returns {string | undefined}
 */
function problemOf(form, field) {
  const text = inputOf(form, field).value;
  if (text.trim() === '') return `${field}-missing`;
  if (field === 'expiry') return expiryProblem(text, form.dataset['month'] ?? '');
  const digits = digitsOf(text);
  if (!/^\d+$/.test(digits)) return `${field}-not-digits`;
  if (field === 'number') {
    if (digits.length < 13 || digits.length > 19) return 'number-length';
    return isPlausible(digits) ? undefined : 'number-mistyped';
  }
  const length = /^3[47]/.test(digitsOf(inputOf(form, 'number').value)) ? 4 : 3;
  return digits.length === length ? undefined : `cvv-length-${length}`;
}

/** Without spaces, dots and dashes of every kind. @param {string} text */
function digitsOf(text) {
  return text.normalize('NFKC').replace(/[\s\p{Z}\p{Cf}\p{Pd}\u2212.]/gu, '');
}

/** The check digit of a card number. @param {string} digits */
function isPlausible(digits) {
  const sum = [...digits].reverse().reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** As the server reads it: 9/28, 09 / 2028, 2028-09-30, 092028, 202809, 0928, 928. */
const EXPIRY_SHAPES = [
  /^(?<month>\d{1,2}) ?[/ ] ?(?<year>\d{4}|\d{2})$/,
  /^(?<year>\d{4}) ?[/ ] ?(?<month>\d{1,2})(?: ?[/ ] ?\d{1,2})?$/,
  /^(?<month>0[1-9]|1[0-2])(?<year>\d{4})$/,
  /^(?<year>20\d\d)(?<month>0[1-9]|1[0-2])$/,
  /^(?<month>\d\d)(?<year>\d\d)$/,
  /^(?<month>[2-9])(?<year>20\d\d|\d\d)$/,
];

/** @param {string} text @returns {{ month: number, year: number } | undefined} */
function readExpiry(text) {
  const plain = text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/[\p{P}\p{S}]/gu, '/')
    .replace(/[\s\p{Z}]+/gu, ' ')
    .trim();
  const groups = EXPIRY_SHAPES.map((shape) => shape.exec(plain)?.groups).find((found) => found !== undefined);
  if (groups === undefined) return undefined;
  const year = Number(groups['year']);
  return { month: Number(groups['month']), year: year < 100 ? 2000 + year : year };
}

/** @param {string} text @param {string} now the server's month, as 2026-11: this machine's clock may be wrong */
function expiryProblem(text, now) {
  const expiry = readExpiry(text);
  if (expiry === undefined) return 'expiry-unreadable';
  if (expiry.month < 1 || expiry.month > 12) return 'expiry-month';
  const [year = 0, month = 0] = now.split('-').map(Number);
  return (expiry.year - year) * 12 + expiry.month < month ? 'expiry-past' : undefined;
}

/** While the month is typed: 12 becomes 12/, 3 becomes 03/. A 2 may begin 2028-09. @param {HTMLInputElement} input */
function groupExpiry(input) {
  const { value } = input;
  if (input.selectionStart !== value.length) return;
  const grouped = value
    .replace(/^(0[1-9]|1[0-2])$/, '$1/')
    .replace(/^([3-9])$/, '0$1/')
    .replace(/^([12])[\s\p{P}\p{S}]$/u, '0$1/')
    .replace(/^(\d\d\/)[\s\p{P}\p{S}]+$/u, '$1');
  if (grouped !== value) input.value = grouped;
}

/**
 * Once the field is left: writing into it while it is being filled makes Safari drop digits. @param {Field} field @param {HTMLInputElement}
 * input
 */
function tidy(field, input) {
  if (field === 'number') {
    const digits = digitsOf(input.value);
    if (/^\d{13,19}$/.test(digits)) input.value = digits.replace(/(.{4})(?=.)/g, '$1 ');
  }
  if (field === 'expiry') {
    const { month = 0, year = 0 } = readExpiry(input.value) ?? {};
    const two = (/** @type {number} */ value) => String(value).padStart(2, '0');
    if (month >= 1 && month <= 12 && year >= 2000 && year < 2100) input.value = `${two(month)}/${two(year % 100)}`;
  }
}

const BRANDS = [
  { brand: 'mir', pattern: /^220[0-4]/ },
  { brand: 'visa', pattern: /^4/ },
  { brand: 'mastercard', pattern: /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/ },
];

/** @param {HTMLFormElement} form */
function showBrand(form) {
  const number = inputOf(form, 'number');
  number.addEventListener('input', () => {
    const digits = number.value.replace(/\D/g, '');
    const found = BRANDS.find(({ pattern }) => pattern.test(digits))?.brand;
    for (const item of form.querySelectorAll('[data-brand]')) {
      item.classList.toggle('here', item.getAttribute('data-brand') === found);
      item.classList.toggle('away', found !== undefined && item.getAttribute('data-brand') !== found);
    }
  });
}

/** After this time the page says that it takes longer than usual. */
const SLOW_MS = 10_000;
/** No longer than this is waited for the answer to a card: then its state is looked up. */
const ANSWER_WAIT_MS = 60_000;
/** And no longer than this for the state. */
const STATE_WAIT_MS = 10_000;

/** @param {HTMLFormElement} form */
function sendOnce(form) {
  const button = form.querySelector('[data-busy]');
  const words = button?.querySelector('span');
  const status = form.querySelector('[data-slow]');
  const box = form.querySelector('[data-trouble]');
  if (!(button instanceof HTMLElement) || !(status instanceof HTMLElement) || !(box instanceof HTMLElement)) return;
  if (!words) return;
  const pay = words.textContent;
  let isSent = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    // The server takes one card a payment whatever happens here; this spares the second request.
    if (isSent) return;
    /** @type {Answer} */
    let answer;
    /** @type {number} */
    let slow;
    try {
      box.hidden = true;
      if (!isFormRight(form)) return;
      isSent = true;
      form.classList.add('busy');
      words.textContent = status.textContent = button.dataset['busy'] ?? '';
      slow = setTimeout(() => {
        status.classList.remove('unseen');
        status.textContent = status.dataset['slow'] ?? '';
      }, SLOW_MS);
      answer = await sendCard(form);
    } catch {
      // The card has not gone, because this browser lacks something that the script needs. It can still send the form.
      form.submit();
      return;
    }
    if (answer.next !== undefined) {
      location.assign(answer.next);
      return;
    }
    clearTimeout(slow);
    isSent = false;
    form.classList.remove('busy');
    words.textContent = pay;
    status.textContent = '';
    status.classList.add('unseen');
    if (answer.problems === undefined) showTrouble(box, answer);
    else showProblems(form, answer.problems);
  });
}

/** Marks what is wrong, if anything is. @param {HTMLFormElement} form */
function isFormRight(form) {
  for (const field of FIELDS) tidy(field, inputOf(form, field));
  const problems = FIELDS.flatMap((field) => {
    const problem = problemOf(form, field);
    return problem === undefined ? [] : [{ field, problem }];
  });
  showProblems(form, problems);
  return problems.length === 0;
}

/** Says what the server said, or one of the two texts that the page came with. @param {HTMLElement} box @param {Answer} answer */
function showTrouble(box, { trouble, isUnknown }) {
  box.textContent = trouble ?? box.dataset[isUnknown ? 'unknown' : 'trouble'] ?? '';
  box.hidden = false;
  // The button is right under the box.
  box.nextElementSibling?.scrollIntoView({ block: 'nearest' });
}

/**
 * What became of a card: where to go on, which fields are wrong, or the server's words. Empty: it was not taken. `isUnknown`: it may
 * have been. The buyer may press again in any case, because a payment takes one card only.
 * @typedef {{ next?: string, problems?: readonly { field: Field, problem: string }[], trouble?: string, isUnknown?: boolean }} Answer
 */

/** Throws only before the card has gone. @param {HTMLFormElement} form @returns {Promise<Answer>} */
async function sendCard(form) {
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) body.append(name, String(value));
  for (const [name, value] of Object.entries(measured())) body.append(name, String(value));
  await prepare(form, body);
  body.append('answer', 'json');
  const isOffline = !navigator.onLine;
  const signal = abortedAfter(ANSWER_WAIT_MS);
  try {
    const answer = await fetch(form.action, { method: 'POST', body, headers: { accept: PAGE_ACCEPT }, signal });
    return await answer.json();
  } catch {
    const found = await lookUp(form);
    // A card that was sent without a connection has not left this machine.
    return found.isUnknown && isOffline ? {} : found;
  }
}

/** `AbortSignal.timeout`, which Safari 15 and Chrome 102 do not have. @param {number} ms */
function abortedAfter(ms) {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), ms);
  return controller.signal;
}

/** What browsers accept when they open a page: the issuer compares it with what it sees itself (EMV 3-D Secure). */
const PAGE_ACCEPT = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

/** What became of a card whose answer was lost. @param {HTMLFormElement} form @returns {Promise<Answer>} */
async function lookUp(form) {
  try {
    const signal = abortedAfter(STATE_WAIT_MS);
    const answer = await fetch(form.dataset['state'] ?? '', { cache: 'no-store', credentials: 'omit', signal });
    const { page, declined } = await answer.json();
    // Of a card that was declined the page says why, and takes another one.
    if (page === 'card' && String(declined ?? '') === (new FormData(form).get('declined') ?? '')) return {};
    return page === undefined ? { isUnknown: true } : { next: form.dataset['result'] };
  } catch {
    return { isUnknown: true };
  }
}

/** What EMV 3-D Secure asks of the browser. */
function measured() {
  return {
    colorDepth: window.screen.colorDepth,
    screenHeight: window.screen.height,
    screenWidth: window.screen.width,
    timezoneOffsetMinutes: new Date().getTimezoneOffset(),
    language: navigator.language,
    // Some browsers have it no more.
    isJavaEnabled: typeof navigator.javaEnabled === 'function' && navigator.javaEnabled(),
  };
}

/** EMV 3-D Secure: no longer than this is waited for an issuer's 3DS Method. */
const METHOD_WAIT_MS = 10_000;

/**
 * First the issuer may look at the browser, in a hidden frame (3DS Method). Whatever fails here, the card goes all the same: then the
 * issuer asks the buyer.
 * @param {HTMLFormElement} form @param {URLSearchParams} body the card; what was found is added
 */
async function prepare(form, body) {
  try {
    const signal = abortedAfter(METHOD_WAIT_MS);
    const answer = await fetch(form.dataset['prepare'] ?? '', { method: 'POST', body, credentials: 'omit', signal });
    const { ticket, threeDsServerTransId } = answer.ok ? await answer.json() : {};
    if (typeof ticket !== 'string') return;
    body.append('ticket', ticket);
    if (typeof threeDsServerTransId !== 'string') return;
    body.append('isMethodDone', String(await runMethod(form, ticket, threeDsServerTransId)));
  } catch {
    // No answer in time: the card goes without.
  }
}

/**
 * Whether the issuer's page said in time that it is done.
 * @param {HTMLFormElement} form @param {string} ticket @param {string} authentication @returns {Promise<boolean>}
 */
function runMethod(form, ticket, authentication) {
  const frame = document.createElement('iframe');
  frame.name = 'method';
  frame.title = '3DS Method';
  frame.hidden = true;
  const opener = document.createElement('form');
  opener.method = 'post';
  opener.action = form.dataset['method'] ?? '';
  opener.target = frame.name;
  opener.hidden = true;
  const field = document.createElement('input');
  field.name = 'ticket';
  field.value = ticket;
  opener.append(field);
  document.body.append(frame, opener);
  return new Promise((resolve) => {
    const end = (/** @type {boolean} */ isDone) => {
      frame.remove();
      opener.remove();
      resolve(isDone);
    };
    window.addEventListener('message', ({ origin, data }) => {
      if (origin === location.origin && data?.threeDsMethodOf === authentication) end(true);
    });
    setTimeout(() => end(false), METHOD_WAIT_MS);
    opener.submit();
  });
}

/** TEST only: a button beside each card of the sandbox. @param {HTMLFormElement} form */
function fillTestCards(form) {
  const list = document.querySelector('[data-expiry]');
  for (const button of document.querySelectorAll('[data-fill]')) {
    if (!(button instanceof HTMLButtonElement)) continue;
    button.hidden = false;
    button.addEventListener('click', () => {
      const values = [button.dataset['fill'], list?.getAttribute('data-expiry'), '123'];
      for (const [at, field] of FIELDS.entries()) {
        const input = inputOf(form, field);
        input.value = values[at] ?? '';
        input.dispatchEvent(new Event('input'));
      }
      form.querySelector('button')?.focus();
    });
  }
}

export {};
