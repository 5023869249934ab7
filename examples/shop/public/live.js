// A live page reads itself again every second, as long as somebody looks at it and it stays live.
const SECOND = 1000;

async function refresh() {
  const main = document.querySelector('main[data-live]');
  if (main === null) return;
  setTimeout(refresh, SECOND);
  // Not while it is hidden, and not under somebody's hands.
  if (document.hidden || main.contains(document.activeElement) || main.querySelector('details[open]') !== null) return;
  try {
    const response = await fetch(location.href, { headers: { accept: 'text/html' } });
    if (!response.ok) return;
    const fresh = new DOMParser().parseFromString(await response.text(), 'text/html').querySelector('main');
    if (fresh !== null && fresh.outerHTML !== main.outerHTML) main.replaceWith(fresh);
  } catch {
    // The shop may be starting again: the next second tries again.
  }
}

setTimeout(refresh, SECOND);
