import type { RequestHandler } from 'express';
import { TEST_AMOUNTS, TEST_CARDS } from '@pay/shared/sandbox/test-cards.ts';

/** GET /api/test-cards: the cards that TEST accepts, and the kopecks that decide. The route exists in TEST only. */
export function listTestCardsRoute(): RequestHandler {
  const cards = TEST_CARDS.map(({ number, brand, en }) => ({ number, brand, outcome: en }));
  const amounts = TEST_AMOUNTS.map(({ kopecks, en }) => ({ kopecks: String(kopecks).padStart(2, '0'), outcome: en }));
  return (_req, res) => {
    res.json({ cards, amounts });
  };
}
