import { BlockList, isIP } from 'node:net';

/**
 * Addresses that a callback may never connect to, even if a public name resolves to them. Sources: the IANA
 * special-purpose registries of IPv4 and IPv6 (RFC 6890 and its successors), and cloud metadata addresses outside of
 * them.
 */
const NOT_PUBLIC_IPV4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  // Azure's host agent. Alibaba's 100.100.100.200 and AWS' 169.254.170.2 lie in the ranges above.
  ['168.63.129.16', 32],
];

/** The special parts of 2000::/3, which is the only part of IPv6 that is public. */
const NOT_PUBLIC_IPV6: readonly (readonly [string, number])[] = [
  // IETF protocol assignments: Teredo, benchmarking, ORCHID and more.
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16], // 6to4: carries any IPv4 address.
  ['2620:4f:8000::', 48], // AS112.
  ['3fff::', 20], // documentation
];

const notPublic = new BlockList();
for (const [net, prefix] of NOT_PUBLIC_IPV4) notPublic.addSubnet(net, prefix, 'ipv4');
for (const [net, prefix] of NOT_PUBLIC_IPV6) notPublic.addSubnet(net, prefix, 'ipv6');

/** Global unicast. Outside of it lie loopback, mapped and translated IPv4, unique local, link local, multicast. */
const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');

/**
 * Additional addresses for TEST: this machine and private networks. Never link-local, where clouds keep credentials.
 */
const privateNetworks = new BlockList();
for (const [net, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const) {
  privateNetworks.addSubnet(net, prefix, 'ipv4');
}

/** Whether `address`, an IP address in any valid spelling, belongs to a public server. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !notPublic.check(address, 'ipv4');
  // A zone index (fe80::1%eth0) belongs to link-local addresses only.
  if (family !== 6 || address.includes('%')) return false;
  return globalUnicast.check(address, 'ipv6') && !notPublic.check(address, 'ipv6');
}

/** Whether `address` is this machine or in a private network: allowed in TEST by CALLBACK_ALLOW_PRIVATE. */
export function isPrivateAddress(address: string): boolean {
  // A BlockList would take an IPv4 address written as IPv6 (::ffff:127.0.0.1) for what it maps to.
  return address === '::1' || (isIP(address) === 4 && privateNetworks.check(address, 'ipv4'));
}

/** Whether `address` is this machine. */
export function isLoopback(address: string): boolean {
  return address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
}
