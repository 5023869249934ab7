import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../infrastructure/folders.ts';
import type { Proofs } from './page.ts';
import { sentencesOf, type Sentence } from './sentences.ts';

/** What is made of the contract and its proofs. */
export const CONTRACT_PAGE = join(ROOT, 'docs/contract.md');

/** The contract, taken apart. */
export const readContract = (): readonly Sentence[] =>
  sentencesOf(readFileSync(join(ROOT, 'docs/spec/service-contract.md'), 'utf8'));

/** What proves each of its sentences. @throws SyntaxError */
export const readProofs = (): Proofs => JSON.parse(readFileSync(join(ROOT, 'docs/spec/proofs.json'), 'utf8')) as Proofs;
