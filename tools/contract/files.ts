import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../infrastructure/folders.ts';
import { sentencesOf, type Sentence } from './sentences.ts';

/**
 * The entries of `proofs.json`, by anchor: the tests that prove a sentence (`file: title`, a title of `it.each` as it stands
 * in the code; where others have it too, behind its `describe` and `›`), or in words why it is no rule for the service.
 */
export type Proofs = Readonly<Record<string, readonly string[] | string>>;

/** The contract, split into sentences. */
export const readContract = (): readonly Sentence[] => sentencesOf(readFileSync(join(ROOT, 'docs/spec/service-contract.md'), 'utf8'));

/** The proofs of each sentence. @throws SyntaxError */
export const readProofs = (): Proofs => JSON.parse(readFileSync(join(ROOT, 'docs/spec/proofs.json'), 'utf8')) as Proofs;
