import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../infrastructure/folders.ts';
import type { Proofs } from './page.ts';
import { sentencesOf, type Sentence } from './sentences.ts';

/** The page generated from the contract and its proofs. */
export const CONTRACT_PAGE = join(ROOT, 'docs/contract.md');

/** The contract, split into sentences. */
export const readContract = (): readonly Sentence[] =>
  sentencesOf(readFileSync(join(ROOT, 'docs/spec/service-contract.md'), 'utf8'));

/** The proofs of each sentence. @throws SyntaxError */
export const readProofs = (): Proofs => JSON.parse(readFileSync(join(ROOT, 'docs/spec/proofs.json'), 'utf8')) as Proofs;
