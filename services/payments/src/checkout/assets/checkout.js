// @ts-check
// The pages work without this file. With it the time counts down, the waiting page moves on by itself, and what was typed does not
// stay behind in the page. The fields of the card page have a script of their own: card.js.

const page = document.documentElement.dataset['page'];

/** @param {string} selector @returns {HTMLElement | null} */
const find = (selector) => document.querySelector(selector);

// Where the page begins for this buyer: at a wrong field, or at what went wrong.
find('[data-focus]')?.focus();

countDown();
const entered = document.querySelector('[data-consent-form], [data-card-form]');
if (entered instanceof HTMLFormElement) forgetWhatWasEntered(entered);
if (page === 'qr') {
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

/** In the issuer's frame: which authentication the issuer has seen enough for. */
function tellCardPage() {
  const threeDsMethodOf = find('[data-authentication]')?.dataset['authentication'];
  window.top?.postMessage({ threeDsMethodOf }, location.origin);
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
  const stay = () => {
    clearInterval(timer);
    box.hidden = true;
  };
  find('[data-stay]')?.addEventListener('click', () => {
    stay();
    find('[data-shop]')?.focus();
  });
  // Whoever types an address has something left to do here.
  find('#email')?.addEventListener('focus', stay);
}
