/** A group of pages in the navigation. */
export type NavSection = {
  readonly title: string;
  /**
   * Paths below `docs/`, in their order. `partners/guides/*` is what remains of a folder, by name, and `*` is everything that no
   * section names. A page of its own (`.html`) is made from an OpenAPI document.
   */
  readonly pages: readonly string[];
  /** Closed unless it has the current page: most readers need none of it. */
  readonly isFolded: boolean;
  /** Its first page is an index of the others, and the only one that the navigation has. */
  readonly hasIndex?: true;
};

/**
 * The order of the documentation. A page that is named here and not there is left out, so that a page may come later than
 * its place.
 */
export const NAV: readonly NavSection[] = [
  {
    title: 'Guides',
    isFolded: false,
    pages: [
      'partners/guides/README.md',
      'partners/guides/quick-start.md',
      'partners/guides/signing.md',
      'partners/guides/callbacks.md',
      'partners/guides/confirmations.md',
      'partners/guides/saved-cards.md',
      'partners/guides/sbp-qr.md',
      'partners/guides/refunds.md',
      'partners/guides/withdrawals.md',
      'partners/guides/errors.md',
      'partners/guides/test-cards.md',
      'partners/guides/going-live.md',
      'partners/guides/migrating.md',
      'partners/guides/*',
    ],
  },
  {
    title: 'Reference',
    isFolded: false,
    pages: [
      'reference.html',
      'partners/signing.md',
      'partners/callbacks.md',
      'partners/errors.md',
      'partners/states.md',
      'partners/receipts.md',
      'partners/registers.md',
      'partners/portal.md',
      'partners/sdk.md',
      'partners/cli.md',
    ],
  },
  {
    title: 'For operators',
    isFolded: true,
    pages: [
      'operators.html',
      'operate/running.md',
      'operate/configuration.md',
      'operate/deploy/README.md',
      'operate/deploy/*',
      'operate/*',
      'operate/runbooks/*',
      'operate/runbooks/alerts/*',
      'operate/faults.md',
      'security/*',
    ],
  },
  {
    title: 'How it is built',
    isFolded: true,
    pages: ['ARCHITECTURE.md', 'api-design.md', 'glossary.md', 'how-to/README.md', 'how-to/*', '*'],
  },
  { title: 'Decisions', isFolded: true, hasIndex: true, pages: ['decisions/README.md', 'decisions/*'] },
];

/** The pages of each section that exist, in order; each page once. */
export function arrange(existing: readonly string[]): { readonly section: NavSection; readonly pages: readonly string[] }[] {
  const named = new Set(NAV.flatMap(({ pages }) => pages));
  const isIn = (folder: string) => (path: string) =>
    !named.has(path) && path.startsWith(folder) && !path.slice(folder.length).includes('/');
  const folders = NAV.flatMap(({ pages }) => pages)
    .filter((page) => page.endsWith('/*'))
    .map((page) => page.slice(0, -1));
  const rest = existing.filter((path) => !named.has(path) && !folders.some((folder) => isIn(folder)(path)));
  return NAV.map((section) => ({
    section,
    pages: section.pages.flatMap((page) => {
      if (page === '*') return rest;
      if (page.endsWith('/*')) return existing.filter(isIn(page.slice(0, -1)));
      return existing.includes(page) ? [page] : [];
    }),
  }));
}
