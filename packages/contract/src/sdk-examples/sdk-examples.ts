import { CURL_SETUP, curlExample } from './curl.ts';
import { GO_SETUP, goExample } from './go.ts';
import { JAVA_SETUP, javaExample } from './java.ts';
import { PHP_SETUP, phpExample } from './php.ts';
import { PYTHON_SETUP, pythonExample } from './python.ts';
import { samples, type Sample } from './sample.ts';
import { TYPESCRIPT_SETUP, typescriptExample } from './typescript.ts';

/** A language of the examples: what it is called, what comes once before all examples, and how a call is written. */
export type ExampleLanguage = {
  /** As highlighters call it. */
  readonly id: string;
  readonly title: string;
  /** Makes what the examples use, from the variables API_URL, PARTNER_ID, PUBLIC_KEY and PRIVATE_KEY_FILE. */
  readonly setup: string;
  readonly write: (sample: Sample) => string;
};

/** In the order in which they are offered. */
export const EXAMPLE_LANGUAGES: readonly ExampleLanguage[] = [
  { id: 'bash', title: 'curl', setup: CURL_SETUP, write: curlExample },
  { id: 'typescript', title: 'TypeScript', setup: TYPESCRIPT_SETUP, write: typescriptExample },
  { id: 'python', title: 'Python', setup: PYTHON_SETUP, write: pythonExample },
  { id: 'go', title: 'Go', setup: GO_SETUP, write: goExample },
  { id: 'php', title: 'PHP', setup: PHP_SETUP, write: phpExample },
  { id: 'java', title: 'Java', setup: JAVA_SETUP, write: javaExample },
];

/** The example of one operation in one language. */
export type SdkExample = { readonly id: string; readonly title: string; readonly code: string };

/**
 * The examples of every operation of the public API, by operationId. They call what the SDKs have
 * (decisions/console-pages).
 */
export function sdkExamples(): ReadonlyMap<string, readonly SdkExample[]> {
  return new Map(
    samples().map((sample) => [sample.call.name, EXAMPLE_LANGUAGES.map(({ id, title, write }) => ({ id, title, code: write(sample) }))]),
  );
}
