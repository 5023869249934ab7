/** What the search of the pages looks through: an operation, or a section of a guide. */
export type SearchEntry = {
  readonly title: string;
  /** The title of the page that it is on. */
  readonly page: string;
  /** Below the site's root. */
  readonly url: string;
  readonly text: string;
  /** How much it is what partners look for: 1, less for what only those who run or change the service need. */
  readonly weight: number;
};
