import { describe, expect, it } from '@jest/globals';
import { isPrivateAddress, isPublicAddress } from './public-address.ts';

describe('isPublicAddress', () => {
  it.each([
    ['0.0.0.0'],
    ['0.1.2.3'],
    ['10.0.0.1'],
    ['127.0.0.1'],
    ['127.255.255.254'],
    ['169.254.169.254'],
    ['172.16.0.1'],
    ['172.31.255.255'],
    ['192.168.1.1'],
    ['100.64.0.1'],
    ['100.127.255.255'],
    ['192.0.0.1'],
    ['192.0.0.192'],
    ['198.18.0.1'],
    ['198.19.255.255'],
    ['192.0.2.1'],
    ['198.51.100.1'],
    ['203.0.113.1'],
    ['192.88.99.1'],
    ['224.0.0.1'],
    ['239.255.255.255'],
    ['240.0.0.1'],
    ['255.255.255.255'],
  ])('%s is not public (H06)', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each([['168.63.129.16'], ['100.100.100.200'], ['fd00:ec2::254'], ['169.254.170.2']])(
    'the metadata address %s is not public (H07)',
    (address) => {
      expect(isPublicAddress(address)).toBe(false);
    },
  );

  it.each([
    ['loopback', '::1'],
    ['unspecified', '::'],
    ['mapped', '::ffff:8.8.8.8'],
    ['mapped, in hex', '::ffff:808:808'],
    ['IPv4-compatible', '::127.0.0.1'],
    ['SIIT', '::ffff:0:8.8.8.8'],
    ['NAT64', '64:ff9b::8.8.8.8'],
    ['NAT64, local', '64:ff9b:1::1'],
    ['next to NAT64', '64:ff9b:2::1'],
    ['6to4', '2002:7f00:1::'],
    ['Teredo', '2001:0:4136:e378::1'],
    ['site local', 'fec0::1'],
    ['unique local', 'fd12::1'],
    ['link local', 'fe80::1'],
    ['link local with zone', 'fe80::1%lo'],
    ['global with zone', '2a00:1450::1%lo'],
    ['multicast', 'ff02::1'],
    ['documentation', '2001:db8::1'],
    ['documentation, new', '3fff::1'],
    ['SRv6', '5f00::1'],
    ['discard', '100::1'],
    ['ORCHID', '2001:10::1'],
    ['ORCHIDv2', '2001:20::1'],
    ['benchmarking', '2001:2::1'],
    ['unassigned', '4000::1'],
  ])('%s (%s) is not public (H05)', (_name, address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each([['8.8.8.8'], ['1.1.1.1'], ['100.63.255.255'], ['100.128.0.1'], ['172.32.0.1'], ['2a00:1450:4001::1'], ['2606:4700::1']])(
    '%s is public',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  it.each([['not an address'], [''], ['2130706433'], ['127.1'], ['[::1]']])('%s is no address', (text) => {
    expect(isPublicAddress(text)).toBe(false);
    expect(isPrivateAddress(text)).toBe(false);
  });
});

describe('isPrivateAddress', () => {
  it('takes this machine and private networks, never where clouds keep credentials', () => {
    for (const address of ['127.0.0.1', '10.1.2.3', '172.18.0.2', '192.168.0.1', '::1']) expect(isPrivateAddress(address)).toBe(true);
    for (const address of ['169.254.169.254', '0.0.0.0', '100.100.100.200', 'fd00:ec2::254', '::ffff:127.0.0.1', '8.8.8.8'])
      expect(isPrivateAddress(address)).toBe(false);
  });
});
