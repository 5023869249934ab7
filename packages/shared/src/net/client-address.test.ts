import { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { z } from 'zod';
import { frontConfig, readConfig } from '../config/config.ts';
import { clientAddress, limitedSource, networkOf, trustedProxies } from './client-address.ts';

const request = (remoteAddress: string, forwardedFor?: string) => ({
  headers: forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor },
  // Only the address of a socket is read; a socket that never connected has none of its own.
  socket: Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress }),
});
const PROXIES = trustedProxies.parse('10.0.0.0/8, 2001:db8:1::/48, 192.0.2.7');

describe('clientAddress', () => {
  it.each([
    ['the socket’s without a header', '203.0.113.9', undefined, '203.0.113.9'],
    ['the socket’s where a stranger writes the header', '203.0.113.9', '198.51.100.1', '203.0.113.9'],
    ['what one proxy saw', '10.1.2.3', '198.51.100.1', '198.51.100.1'],
    ['what the first of two proxies saw', '10.1.2.3', '198.51.100.1, 192.0.2.7', '198.51.100.1'],
    ['the last one that is no proxy, whatever the sender wrote before', '10.1.2.3', '10.9.9.9, 127.0.0.1, 198.51.100.1', '198.51.100.1'],
    ['the sender’s, not an address that it claims', '10.1.2.3', '8.8.8.8,198.51.100.1,10.0.0.1', '198.51.100.1'],
    ['the proxy’s own where it adds nothing', '10.1.2.3', undefined, '10.1.2.3'],
    ['the last that can be read', '10.1.2.3', 'unknown, 10.0.0.2', '10.0.0.2'],
    ['the proxy’s own where nothing can be read', '10.1.2.3', 'unknown', '10.1.2.3'],
    ['the proxy’s own where the header is empty', '10.1.2.3', '', '10.1.2.3'],
    ['the first of a chain of proxies only', '10.1.2.3', '10.0.0.9, 10.0.0.2', '10.0.0.9'],
    ['IPv4 over IPv6, both ways', '::ffff:10.1.2.3', '::ffff:c633:6401', '198.51.100.1'],
    ['IPv6 in one spelling', '2001:DB8:1:0::5', '2A00:1450:0:0::1', '2a00:1450::1'],
    ['without a port', '10.1.2.3', '198.51.100.1:4711', '198.51.100.1'],
    ['without a port and brackets', '10.1.2.3', '[2a00:1450::1]:443', '2a00:1450::1'],
    ['without a zone', 'fe80::1%eth0', undefined, 'fe80::1'],
    ['no octal and no short forms', '10.1.2.3', '0177.0.0.1', '10.1.2.3'],
  ])('%s', (_name, socket, header, expected) => {
    expect(clientAddress(request(socket, header), PROXIES)).toBe(expected);
  });

  it('whatever a sender writes before what a proxy adds changes nothing (S3)', () => {
    fc.assert(
      fc.property(fc.string(), fc.ipV4(), (claimed, seen) => {
        fc.pre(!PROXIES.has(seen));
        expect(clientAddress(request('10.1.2.3', `${claimed}, ${seen}`), PROXIES)).toBe(seen);
      }),
    );
  });

  it('a chain without an end is not followed', () => {
    const endless = Array.from({ length: 4_000 }, () => '10.0.0.1').join(',');
    expect(clientAddress(request('10.1.2.3', endless), PROXIES)).toBe('10.0.0.1');
  });
});

describe('limitedSource', () => {
  const UNSET = trustedProxies.parse(undefined);

  it('is the address of IPv4 and the /64 of IPv6', () => {
    expect(limitedSource(request('10.1.2.3', '198.51.100.1'), PROXIES)).toBe('198.51.100.1');
    expect(limitedSource(request('10.1.2.3', '2a00:1450:1:2:3::4'), PROXIES)).toBe('2a00:1450:1:2::/64');
  });

  it('behind a proxy that nobody configured two senders are two (S3)', () => {
    const [one, other] = ['198.51.100.1', '198.51.100.2'].map((seen) => limitedSource(request('10.1.2.3', seen), UNSET));
    expect(one).not.toBe(other);
  });

  it('with none, nobody’s header counts', () => {
    const none = trustedProxies.parse('none');
    expect(limitedSource(request('203.0.113.9', '198.51.100.1'), none)).toBe('203.0.113.9');
    expect(limitedSource(request('203.0.113.9'), UNSET)).toBe('203.0.113.9');
  });
});

it.each([
  ['1.2.3.4', '1.2.3.4'],
  ['::1', '0:0:0:0::/64'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
])('networkOf %s is %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

describe('TRUSTED_PROXIES', () => {
  const inEnvironment = (environment: string, text: string) => () =>
    readConfig(z.object({ ENVIRONMENT: frontConfig.ENVIRONMENT, TRUSTED_PROXIES: trustedProxies }), {
      ENVIRONMENT: environment,
      TRUSTED_PROXIES: text,
    });

  it.each(['10.0.0.0/8', '192.0.2.7, 10.0.0.0/15', '0.0.0.0/0', '::/0', '2001:db8::/31', '10.0.0.0/8,172.16.0.0/12'])(
    'LIVE refuses %j: all of its addresses could name any caller (N9)',
    (text) => {
      expect(inEnvironment('LIVE', text)).toThrow(/TRUSTED_PROXIES: \S+ would let all of its addresses name any caller/);
      expect(inEnvironment('TEST', text)).not.toThrow();
    },
  );

  it.each(['10.20.0.0/16', '192.0.2.7', '2001:db8::/32', 'none', '10.0.0.0/8,10.0.0.0/8', '10.0.0.0/8, 192.0.2.7, 10.0.0.0/8'])(
    'LIVE takes %j: it is narrow, or written twice (N9)',
    (text) => {
      expect(inEnvironment('LIVE', text)).not.toThrow();
    },
  );

  it.each([
    '10.0.0.0/33',
    '10.0.0',
    'proxy.example',
    '10.0.0.0/8,',
    '10.0.0.0/-1',
    '::/129',
    '::ffff:10.0.0.0/104',
    'none,10.0.0.1',
    '10.0.0.0/08x',
  ])('%j is refused', (text) => {
    expect(trustedProxies.safeParse(text).success).toBe(false);
  });

  it.each([
    ['10.0.0.0/8', '10.255.0.1', true],
    ['10.0.0.0/8', '11.0.0.1', false],
    ['2001:DB8::/32', '2001:db8:ffff::1', true],
    ['2001:db8::/32', '10.0.0.1', false],
    ['0.0.0.0/0', '198.51.100.1', true],
    ['0.0.0.0/0', '2a00::1', false],
    ['none', '127.0.0.1', false],
    [undefined, '127.0.0.1', false],
  ])('%j and %s: %s', (text, address, expected) => {
    expect(trustedProxies.parse(text).has(address)).toBe(expected);
  });
});
