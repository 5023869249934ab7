import { describe, expect, it } from '@jest/globals';
import { transferReferenceFault, type TransferNetwork } from './transfer-networks.ts';

const HASH = 'e9873d79c6d87dc0fb6a5778633389f4453213303da61f20bd67fc233aa33262';

describe('the reference of a transfer', () => {
  it.each<[string, string, TransferNetwork | undefined, boolean]>([
    ['a hash of TRON', HASH, 'TRON', true],
    ['the same in capitals', HASH.toUpperCase(), 'TRON', true],
    ['one of Ethereum given as TRON’s', `0x${HASH}`, 'TRON', false],
    ['one digit too few', HASH.slice(1), 'TRON', false],
    ['one digit too many', `${HASH}0`, 'TRON', false],
    ['a letter that is no digit', `g${HASH.slice(1)}`, 'TRON', false],
    ['a hash of Ethereum', `0x${HASH}`, 'ETHEREUM', true],
    ['one of TRON given as Ethereum’s', HASH, 'ETHEREUM', false],
    ['0x and one digit too few', `0x${HASH.slice(1)}`, 'ETHEREUM', false],
    ['a number of the provider’s own', 'tr-2026-11-0042', 'OTHER', true],
    ['a cut hash as a number of the provider’s own', HASH.slice(1), 'OTHER', false],
    ['a hash of TRON without a network', HASH, undefined, true],
    ['a hash of Ethereum without a network', `0x${HASH}`, undefined, true],
    ['a cut hash without a network', `0x${HASH.slice(1)}`, undefined, false],
    ['a number without a network', 'tr-2026-11-0042', undefined, true],
    ['a UUID without a network', 'tx-1c9e2f0a-5b7d-4c3e-8f6a-0d1b2c3e4f5a', undefined, true],
  ])('%s', (_title, reference, network, isFine) => {
    expect(transferReferenceFault(reference, network) === undefined).toBe(isFine);
  });
});
