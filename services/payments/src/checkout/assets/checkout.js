// @ts-check
// The form works without this file. With it the time counts down, the waiting page moves on by itself, the number is
// grouped, a second press is harmless at once, and what was typed does not stay behind in the page.

const page = document.documentElement.dataset['page'];

/** @param {string} selector @returns {HTMLElement | null} */
const find = (selector) => document.querySelector(selector);

// A buyer who came by a link inside the page lands on the field itself.
find('[data-focus]')?.focus();

if (page === 'consent') {
  countDown();
  const box = document.querySelector('[data-consent-form]');
  if (box instanceof HTMLFormElement) forgetWhatWasEntered(box);
}
if (page === 'card') {
  countDown();
  helpWithCard();
  fillTestCards();
}
if (page === 'qr') {
  countDown();
  askForState();
  copyLink();
}
if (page === 'waiting' || page === 'preparing') askForState();
if (page === 'bank') leaveNow();
if (page === 'method') document.forms[0]?.submit();
if (page === 'method-done') tellCardPage();
if (page === 'paid') leaveLater();

/** Counts to the end of the session, announces the last two minutes once, and lets the server say that it is over. */
function countDown() {
  const box = find('[data-milliseconds-left]');
  const text = find('[data-time]');
  const announcement = find('[data-announcement]');
  if (box === null || text === null || announcement === null) return;
  // The server's distance to the end on this machine's clock: a clock that is wrong does not matter.
  const endsAt = Date.now() + Number(box.dataset['millisecondsLeft']);
  const clock = document.createElement('span');
  clock.setAttribute('role', 'timer');
  clock.className = 'clock';
  text.replaceChildren(`${box.dataset['left'] ?? ''} `, clock);
  let isAnnounced = false;
  const tick = () => {
    const seconds = Math.ceil((endsAt - Date.now()) / 1000);
    if (seconds <= 0) {
      text.textContent = box.dataset['over'] ?? '';
      // The server has the last word, a second later: its clock must be past the end as well.
      setTimeout(() => location.reload(), 1000);
      return;
    }
    clock.textContent = asClock(seconds);
    box.classList.toggle('soon', seconds <= 120);
    if (seconds <= 120 && !isAnnounced) {
      isAnnounced = true;
      announcement.textContent = announcement.dataset['announcement'] ?? '';
    }
    setTimeout(tick, 1000 - (Date.now() % 1000));
  };
  tick();
}

/** @param {number} seconds */
function asClock(seconds) {
  const two = (/** @type {number} */ value) => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const rest = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return hours === 0 ? rest : `${hours}:${rest}`;
}

const BRANDS = [
  { brand: 'mir', pattern: /^220[0-4]/ },
  { brand: 'visa', pattern: /^4/ },
  { brand: 'mastercard', pattern: /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/ },
];

function helpWithCard() {
  const form = document.querySelector('[data-card-form]');
  const number = document.querySelector('#number');
  if (!(form instanceof HTMLFormElement) || !(number instanceof HTMLInputElement)) return;

  const showBrand = () => {
    const digits = number.value.replace(/\D/g, '');
    const found = BRANDS.find(({ pattern }) => pattern.test(digits))?.brand;
    for (const item of form.querySelectorAll('[data-brand]')) {
      item.classList.toggle('here', item.getAttribute('data-brand') === found);
      item.classList.toggle('away', found !== undefined && item.getAttribute('data-brand') !== found);
    }
  };
  number.addEventListener('input', showBrand);
  // On leaving only: writing into a field while it is being filled makes Safari drop digits.
  number.addEventListener('blur', () => {
    const digits = number.value.replace(/[\s-]/g, '');
    if (/^\d{13,19}$/.test(digits)) number.value = digits.replace(/(.{4})(?=.)/g, '$1 ');
  });

  let isSent = false;
  form.addEventListener('submit', (event) => {
    // The server takes one card a payment whatever happens here; this spares the second request.
    if (isSent) {
      event.preventDefault();
      return;
    }
    isSent = true;
    const button = form.querySelector('[data-busy]');
    const status = form.querySelector('[data-busy-status]');
    const words = button?.querySelector('span');
    if (!(button instanceof HTMLElement) || status === null || !words) return;
    form.classList.add('busy');
    words.textContent = status.textContent = button.dataset['busy'] ?? '';
    event.preventDefault();
    void showBrowser(form).finally(() => form.submit());
  });
  forgetWhatWasEntered(form);
}

/**
 * What 3-D Secure asks of the browser goes with the card; first the issuer may look at the browser itself, in a hidden frame
 * (3DS Method). Whatever fails here, the card goes all the same: then the issuer asks the buyer.
 * @param {HTMLFormElement} form
 */
async function showBrowser(form) {
  const measured = {
    colorDepth: window.screen.colorDepth,
    screenHeight: window.screen.height,
    screenWidth: window.screen.width,
    timezoneOffsetMinutes: new Date().getTimezoneOffset(),
    language: navigator.language,
    // Some browsers have it no more.
    isJavaEnabled: typeof navigator.javaEnabled === 'function' && navigator.javaEnabled(),
  };
  for (const [name, value] of Object.entries(measured)) carry(form, name, String(value));
  try {
    const body = new URLSearchParams();
    for (const [name, value] of new FormData(form)) body.append(name, String(value));
    const signal = AbortSignal.timeout(METHOD_WAIT_MS);
    const answer = await fetch(form.dataset['prepare'] ?? '', { method: 'POST', body, credentials: 'omit', signal });
    const { ticket, threeDsServerTransId } = answer.ok ? await answer.json() : {};
    if (typeof ticket !== 'string') return;
    carry(form, 'ticket', ticket);
    if (typeof threeDsServerTransId !== 'string') return;
    carry(form, 'isMethodDone', String(await runMethod(form, ticket, threeDsServerTransId)));
  } catch {
    // No answer in time: the card goes without.
  }
}

/** EMV 3-D Secure: no longer than this is waited for an issuer's 3DS Method. */
const METHOD_WAIT_MS = 10_000;

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
  carry(opener, 'ticket', ticket);
  document.body.append(frame, opener);
  return new Promise((resolve) => {
    const end = (/** @type {boolean} */ isDone) => {
      frame.remove();
      resolve(isDone);
    };
    window.addEventListener('message', ({ origin, data }) => {
      if (origin === location.origin && data?.threeDsMethodOf === authentication) end(true);
    });
    setTimeout(() => end(false), METHOD_WAIT_MS);
    opener.submit();
  });
}

/** In the issuer's frame: which authentication the issuer has seen enough for. */
function tellCardPage() {
  const threeDsMethodOf = find('[data-authentication]')?.dataset['authentication'];
  window.top?.postMessage({ threeDsMethodOf }, location.origin);
}

/** @param {HTMLFormElement} form @param {string} name @param {string} value */
function carry(form, name, value) {
  const input = document.createElement('input');
  input.type = 'hidden';
  input.name = name;
  input.value = value;
  form.append(input);
}

/**
 * What was typed or ticked goes with the page, and is not there when "back" brings the page from the browser's memory.
 * @param {HTMLFormElement} form
 */
function forgetWhatWasEntered(form) {
  window.addEventListener('pagehide', () => form.reset());
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) location.reload();
  });
}

/** TEST only: a button beside each card of the sandbox. */
function fillTestCards() {
  const list = find('[data-expiry]');
  for (const button of document.querySelectorAll('[data-fill]')) {
    if (!(button instanceof HTMLButtonElement)) continue;
    button.hidden = false;
    button.addEventListener('click', () => {
      const values = { number: button.dataset['fill'], expiry: list?.dataset['expiry'], cvv: '123' };
      for (const [name, value] of Object.entries(values)) {
        const input = document.querySelector(`#${name}`);
        if (!(input instanceof HTMLInputElement)) continue;
        input.value = value ?? '';
        input.dispatchEvent(new Event('input'));
      }
      find('[data-busy]')?.focus();
    });
  }
}

/** Asks after 1, 1.5, 2.25 … at most 10 seconds (3 beside a code), and not at all while nobody looks. */
function askForState() {
  const pauseMaxMs = page === 'qr' ? 3_000 : 10_000;
  const box = find('[data-state]');
  const check = document.querySelector('[data-check]');
  const address = box?.dataset['state'];
  if (address === undefined || !(check instanceof HTMLElement)) return;
  for (const line of document.querySelectorAll('[data-auto]')) line.removeAttribute('hidden');
  let pauseMs = 1000;
  const ask = async () => {
    if (document.visibilityState === 'visible') {
      try {
        const answer = await fetch(address, { cache: 'no-store', credentials: 'omit' });
        const state = answer.ok ? await answer.json() : undefined;
        if (state !== undefined && state.page !== box?.dataset['stateNow']) {
          location.replace(check.getAttribute('href') ?? '');
          return;
        }
      } catch {
        // No connection just now: the next round tries again.
      }
    }
    pauseMs = Math.min(pauseMs * 1.5, pauseMaxMs);
    setTimeout(ask, pauseMs);
  };
  setTimeout(ask, pauseMs);
  document.addEventListener('visibilitychange', () => {
    pauseMs = 1000;
  });
}

/** The link of a code into the clipboard, where the browser has one for us. */
function copyLink() {
  const button = find('[data-copy]');
  const status = find('[data-copied]');
  const link = button?.dataset['copy'];
  if (button === null || status === null || link === undefined || !navigator.clipboard) return;
  button.hidden = false;
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(link);
      status.textContent = status.dataset['copied'] ?? '';
    } catch {
      // The browser said no: the link stands beside, to be marked by hand.
    }
  });
}

/** To the bank's page; "back" there leads to where the buyer was before this page. */
function leaveNow() {
  const address = find('[data-leave-now]')?.getAttribute('href');
  if (address) location.replace(address);
  const form = find('form[data-leave-form]');
  if (form instanceof HTMLFormElement) form.submit();
}

/** Back to the shop some seconds after a payment, unless the buyer wants to stay. */
function leaveLater() {
  const box = find('[data-leave-seconds]');
  const shop = find('[data-shop]')?.getAttribute('href');
  const seconds = find('[data-seconds]');
  if (box === null || !shop || seconds === null) return;
  box.hidden = false;
  let left = Number(box.dataset['leaveSeconds']);
  const timer = setInterval(() => {
    left -= 1;
    seconds.textContent = String(left);
    if (left > 0) return;
    clearInterval(timer);
    location.assign(shop);
  }, 1000);
  find('[data-stay]')?.addEventListener('click', () => {
    clearInterval(timer);
    box.hidden = true;
    find('[data-shop]')?.focus();
  });
}
