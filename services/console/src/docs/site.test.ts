import { posix } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import { indented } from './browser/indent.ts';
import { ApiDocument, byTag } from './document.ts';
import { renderMarkdown } from './markdown.ts';
import { arrange } from './nav.ts';
import { buildSite } from './site.ts';

/** The documentation as it is served, checked without a browser. */
let site: ReadonlyMap<string, Buffer>;
let pages: ReadonlyMap<string, string>;

beforeAll(async () => {
  site = await buildSite();
  pages = new Map([...site].filter(([path]) => path.endsWith('.html')).map(([path, bytes]) => [path, bytes.toString()]));
});

const attributes = (html: string, name: string): string[] =>
  [...html.matchAll(new RegExp(` ${name}="([^"]*)"`, 'g'))].map(([, value = '']) => value);

describe('the documentation', () => {
  it('has a page for every guide, and each is in the navigation', () => {
    const guides = [...pages.keys()];
    expect(guides.length).toBeGreaterThan(100);
    const home = pages.get('index.html') ?? '';
    const listed = new Set(attributes(home, 'href'));
    const alone = guides.filter((path) => !listed.has(path) && !path.startsWith('decisions/'));
    expect(alone).toEqual([]);
  });

  it('has no dead link and no dead anchor', () => {
    const anchors = new Map([...pages].map(([path, html]) => [path, new Set(attributes(html, 'id'))]));
    const dead = [...pages].flatMap(([path, html]) =>
      [...attributes(html, 'href'), ...attributes(html, 'src')]
        .filter((link) => !/^(?:https?|data|mailto):/.test(link))
        .filter((link) => {
          const [target = '', anchor] = link.split('#');
          const file = target === '' ? path : posix.join(posix.dirname(path), target);
          return !site.has(file) || (anchor !== undefined && anchors.get(file)?.has(anchor) !== true);
        })
        .map((link) => `${path}: ${link}`),
    );
    expect(dead).toEqual([]);
  });

  it('works below any path, and brings everything itself', () => {
    for (const html of pages.values()) {
      expect(attributes(html, 'href').filter((link) => link.startsWith('/'))).toEqual([]);
      expect(attributes(html, 'src').filter((link) => !/^(?:\.\.\/)*(?:assets|images)\//.test(link))).toEqual([]);
      expect(html).not.toMatch(/<style|<script>|<script type="module">| style="| on[a-z]+="/);
      expect(html).toContain('<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;'.replaceAll('&#39;', "'"));
    }
  });

  it('has each anchor of a page once', () => {
    const twice = [...pages].flatMap(([path, html]) => {
      const ids = attributes(html, 'id');
      return ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${path}#${id}`);
    });
    expect(twice).toEqual([]);
  });

  it.each([
    ['openapi.json', 'reference.html'],
    ['openapi-operators.json', 'operators.html'],
  ])('shows every operation of %s, each with an anchor of its operationId', (source, page) => {
    const document = ApiDocument.parse(JSON.parse(site.get(source)?.toString() ?? ''));
    const ids = new Set(attributes(pages.get(page) ?? '', 'id'));
    const operations = byTag(document).flatMap((group) => group.operations);
    const all = Object.values({ ...document.paths, ...document.webhooks }).flatMap((methods) => Object.keys(methods));
    expect(operations).toHaveLength(all.length);
    expect(operations.map(({ operation }) => operation.operationId).filter((id) => !ids.has(id))).toEqual([]);
  });

  it('is light: at most 100 KB for the reference with all that it loads, at most 100 KB for the list of the search', () => {
    const sizeOf = (path: string) => gzipSync(site.get(path) ?? '').length;
    const html = pages.get('reference.html') ?? '';
    const loaded = [...attributes(html, 'src'), ...attributes(html, 'href').filter((one) => one.startsWith('assets/'))];
    expect(loaded).toHaveLength(4);
    expect(['reference.html', ...loaded].reduce((sum, path) => sum + sizeOf(path), 0)).toBeLessThan(100_000);
    expect(sizeOf('search.json')).toBeLessThan(100_000);
  });
});

describe('renderMarkdown', () => {
  it('names anchors as the forge does, leads to pages instead of sources, and drops links that leave the folder', () => {
    const { title, html, sections } = renderMarkdown(
      'decisions/a.md',
      '# `A` & b\n\n## Why\n\n[up](../signing.md#x) [out](../../README.md) [own](#why)\n\n## Why\n\n```sh\nls\n```\n\n| | a |\n| --- | --- |\n| b | c |\n',
    );
    expect(title).toBe('A & b');
    expect(sections.map(({ id }) => id)).toEqual(['a--b', 'why', 'why-1']);
    expect(html).toContain('<a href="../signing.html#x">up</a> out <a href="#why">own</a>');
    expect(html).toContain('<div class="scroll" tabindex="0"><table>\n<thead>\n<tr>\n<td></td>\n<th>a</th>');
    expect(html).toContain('<pre tabindex="0"><code><span class="hljs-built_in">ls</span></code></pre>');
  });
});

describe('arrange', () => {
  it('keeps the order of the list, the rest of a folder by name, and everything else at the end', () => {
    const existing = [
      'ARCHITECTURE.md',
      'decisions/README.md',
      'decisions/a.md',
      'partners/guides/b.md',
      'partners/guides/quick-start.md',
      'new.md',
      'partners/signing.md',
    ];
    expect(arrange(existing).map(({ pages: shown }) => shown)).toEqual([
      ['partners/guides/quick-start.md', 'partners/guides/b.md'],
      ['partners/signing.md'],
      [],
      ['ARCHITECTURE.md', 'new.md'],
      ['decisions/README.md', 'decisions/a.md'],
    ]);
  });
});

describe('indented', () => {
  it('keeps every number as it was written, and says the same', () => {
    const text = String.raw`{"amount":10.50,"items":[{"a":"{x: [\"1\", 2]}"},{}],"none":[],"no":null}`;
    const shown = indented(text);
    expect(shown).toContain('\n  "amount": 10.50,\n');
    expect(shown).toContain('"none": []');
    expect(JSON.parse(shown)).toEqual(JSON.parse(text));
  });
});
