import { posix } from 'node:path';
import { Marked } from 'marked';
import { codeBlock } from './highlight.ts';
import { escape, slug, textOf } from './html.ts';

/** A section of a page: its anchor, heading and the text up to the next heading, for the search. */
export type Section = { readonly id: string; readonly title: string; readonly level: number; readonly text: string };

/** A page of `docs/`, rendered. */
export type Rendered = {
  /** The first heading. */
  readonly title: string;
  readonly html: string;
  readonly sections: readonly Section[];
};

/**
 * A Markdown file as HTML, with code coloured and links to other Markdown files as links to their pages. `path` is the
 * file's, below `docs/`. A link that leaves `docs/` is its text: those files are not served.
 */
export function renderMarkdown(path: string, markdown: string): Rendered {
  const used = new Map<string, number>();
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const html = this.parser.parseInline(tokens);
        const level = `h${String(depth)}`;
        const id = unique(slug(textOf(html)), used);
        return `<${level} id="${id}">${html}${anchorTo(id)}</${level}>\n`;
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        const target = linkFrom(path, href);
        return target === undefined ? text : `<a href="${escape(target)}">${text}</a>`;
      },
      code({ text, lang }) {
        return `${codeBlock(text, languageOf(lang ?? ''))}\n`;
      },
    },
  });
  const html = scrollable(marked.parse(markdown, { async: false }));
  const sections = sectionsOf(html);
  return { title: sections[0]?.title ?? path, html, sections };
}

/** What a heading is followed by: a link to itself, to copy. */
export const anchorTo = (id: string): string => `<a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`;

const ALIASES: Readonly<Record<string, string>> = { sh: 'bash', ts: 'typescript', js: 'typescript', yml: 'yaml' };
/** After the language a fence may say more, such as the name of a file. */
const languageOf = (info: string): string => {
  const [lang = ''] = info.split(' ');
  return ALIASES[lang] ?? lang;
};

/** As on the site where these files are usually read: a second heading of the same text gets a number. */
function unique(id: string, used: Map<string, number>): string {
  const count = used.get(id) ?? 0;
  used.set(id, count + 1);
  return count === 0 ? id : `${id}-${String(count)}`;
}

/** Where a link of a file leads on the site; undefined if it leaves `docs/`. */
function linkFrom(path: string, href: string): string | undefined {
  if (/^(?:[a-z]+:|#)/i.test(href)) return href;
  if (posix.join(posix.dirname(path), href).startsWith('..')) return undefined;
  return href.replace(/\.md(?=#|$)/, '.html');
}

/** A table that is wider than the screen scrolls by itself, and by keyboard; a corner without a word heads nothing. */
const scrollable = (html: string): string =>
  html
    .replaceAll('<table>', '<div class="scroll" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
    .replaceAll(/<th([^>]*)><\/th>/g, '<td$1></td>');

function sectionsOf(html: string): Section[] {
  const heading = /<h([1-6]) id="([^"]*)">(.*?)<\/h\1>/gs;
  const found = [...html.matchAll(heading)];
  return found.map((match, index) => {
    const [whole, level = '1', id = '', inner = ''] = match;
    const text = html.slice(match.index + whole.length, found[index + 1]?.index);
    const title = textOf(inner.replace(/<a class="anchor".*?<\/a>/, ''));
    return { id, title, level: Number(level), text: textOf(text.replaceAll(/<pre.*?<\/pre>/gs, ' ')) };
  });
}
