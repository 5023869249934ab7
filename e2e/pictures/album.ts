import type { Shown } from '../../services/console/test/shown.ts';
import type { Language } from './still-pages.ts';

/** Pages of one kind, and in which languages there are. */
export type Album = {
  /** Of the folder with their contact sheets. */
  readonly name: 'buyer' | 'console' | 'docs' | 'portal';
  readonly languages: readonly Language[];
  /** Starts what serves them, over answers that never change. */
  readonly open: () => Promise<OpenAlbum>;
};

export type OpenAlbum = {
  readonly origin: string;
  readonly shown: (language: Language) => Promise<readonly Shown[]>;
  /** The cookie of who is signed in. Pages that have one are a single document, whose script reads the address. */
  readonly sessionCookie?: string;
  /** Whether a part of a page, such as a wide table, may be scrolled sideways. */
  readonly hasScrolledParts: boolean;
  readonly close: () => Promise<void>;
};
