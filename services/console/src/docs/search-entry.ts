/** What the search of the pages looks through: an operation, or a section of a guide. */
export type SearchEntry = {
  readonly title: string;
  /** The title of the page that it is on. */
  readonly page: string;
  /** Below the site's root. */
  readonly url: string;
  readonly text: string;
};
