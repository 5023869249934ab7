// Runs before the page is shown: the chosen language of the examples, and buttons to copy them.

const STORED = 'docs-language';
const sheet = new CSSStyleSheet();
document.adoptedStyleSheets = [sheet];

/** Shows the examples of one language, on this page and the next ones. */
function choose(language: string): void {
  sheet.replaceSync(
    `.example[data-language]:not([data-language="${CSS.escape(language)}"]) { display: none }
    .example[data-language] figcaption { display: none }
    .languages { display: flex }`,
  );
  for (const button of document.querySelectorAll<HTMLElement>('[data-choose]'))
    button.setAttribute('aria-pressed', String(button.dataset['choose'] === language));
}

/** A browser may forbid a page to keep anything. */
function stored(): string | null {
  try {
    return localStorage.getItem(STORED);
  } catch {
    return null;
  }
}

function store(language: string): void {
  try {
    localStorage.setItem(STORED, language);
  } catch {
    // Then it is chosen for this page only.
  }
}

choose(stored() ?? 'bash');

document.addEventListener('DOMContentLoaded', () => {
  const offered = new Set([...document.querySelectorAll<HTMLElement>('[data-choose]')].map((one) => one.dataset['choose']));
  const wanted = stored();
  choose(wanted !== null && offered.has(wanted) ? wanted : 'bash');
  for (const pre of document.querySelectorAll('pre')) addCopyButton(pre);
});

document.addEventListener('click', ({ target }) => {
  // A link to a place on the same page would leave the open navigation in front of it.
  if (target instanceof HTMLAnchorElement) document.querySelector<HTMLElement>('#pages:popover-open')?.hidePopover();
  const language = target instanceof HTMLElement ? target.dataset['choose'] : undefined;
  if (language === undefined || !(target instanceof HTMLElement)) return;
  // What is above changes its height: the button stays where it was clicked.
  const before = target.getBoundingClientRect().top;
  choose(language);
  store(language);
  window.scrollBy({ top: target.getBoundingClientRect().top - before, behavior: 'instant' });
});

function addCopyButton(pre: HTMLPreElement): void {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(pre.textContent).then(
      () => {
        button.textContent = 'Copied';
      },
      () => {
        button.textContent = 'Not allowed';
      },
    );
  });
  const frame = document.createElement('div');
  frame.className = 'copyable';
  pre.replaceWith(frame);
  frame.append(pre, button);
}
