/**
 * How a transaction is named on the networks that USDT is transferred on. This file contains nothing else, so that the
 * console's pages can load it.
 */

/** The networks on which a payout is made. OTHER is everything that is not named by a transaction hash. */
export const TRANSFER_NETWORKS = ['TRON', 'ETHEREUM', 'OTHER'] as const;
export type TransferNetwork = (typeof TRANSFER_NETWORKS)[number];

/** A transaction hash of 32 bytes in hexadecimal digits: TRON writes it plainly, Ethereum after `0x`. */
const SHAPES = {
  TRON: { pattern: /^[0-9a-f]{64}$/i, wanted: 'must be a TRON transaction hash: 64 hexadecimal digits without 0x' },
  ETHEREUM: {
    pattern: /^0x[0-9a-f]{64}$/i,
    wanted: 'must be an Ethereum transaction hash: 0x and 64 hexadecimal digits',
  },
} as const satisfies Partial<Record<TransferNetwork, { readonly pattern: RegExp; readonly wanted: string }>>;

/** Nothing else is written with so many hexadecimal digits: a hash that lost some, or has some too many. */
const ALMOST_A_HASH = /^(?:0x)?[0-9a-f]{41,}$/i;

/**
 * What is wrong with a transfer's reference; undefined if nothing is. Without a network, a hash of either one is
 * accepted, and so is a number of the provider's own, but never part of a hash.
 */
export function transferReferenceFault(reference: string, network?: TransferNetwork): string | undefined {
  if (network === 'TRON' || network === 'ETHEREUM') return SHAPES[network].pattern.test(reference) ? undefined : SHAPES[network].wanted;
  const isHash = SHAPES.TRON.pattern.test(reference) || SHAPES.ETHEREUM.pattern.test(reference);
  return !isHash && ALMOST_A_HASH.test(reference) ? 'looks like a transaction hash, but does not have 64 hexadecimal digits' : undefined;
}
