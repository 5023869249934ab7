import { html, type Html } from '../html.ts';

/** Our own icons, on a grid of 24, in the colour of the surrounding text. */
const SHAPES = {
  lock: html`<rect x="5" y="11" width="14" height="9" rx="2" /><path d="M8 11V8a4 4 0 0 1 8 0v3" />`,
  check: html`<path d="m5 12.5 4.6 4.6L19 7.5" />`,
  cross: html`<path d="m7 7 10 10M17 7 7 17" />`,
  clock: html`<circle cx="12" cy="12" r="8" /><path d="M12 7.5V12l3 2" />`,
  bank: html`<path d="M4 10 12 5l8 5zM6 10v7m4-7v7m4-7v7m4-7v7M4 19h16" />`,
  back: html`<path d="M4 9h11a5 5 0 0 1 0 10h-4M4 9l4-4M4 9l4 4" />`,
  alert: html`<path d="M12 7v6m0 4v.01" /><circle cx="12" cy="12" r="9" />`,
} as const satisfies Record<string, Html>;

/** An icon beside a text with the same meaning, hidden from screen readers. */
export function icon(name: keyof typeof SHAPES): Html {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">${SHAPES[name]}</svg>`;
}
