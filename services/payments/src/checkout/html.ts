import htm from 'htm';
import { Fragment, h, type ComponentChildren, type VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';

/** A piece of a page. */
export type Html = VNode | VNode[];

/** What may appear between two tags; text is escaped. */
export type Content = ComponentChildren;

/** Markup as a tagged template: every value in it is escaped, so a shop's name cannot become a tag. */
export const html: (strings: TemplateStringsArray, ...values: unknown[]) => Html = htm.bind(h);

/** Renders the document to text. */
export function renderDocument(root: Html): string {
  return `<!doctype html>${renderPiece(root)}`;
}

/** Renders a piece of a page to text. */
export function renderPiece(piece: Html): string {
  return renderToString(h(Fragment, null, piece));
}
