import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { isOwnName } from './own-hosts.ts';
import { isPublicAddress } from './public-address.ts';

/**
 * The lexical half of address safety: whether this text is an absolute, public https address. The raw text is checked
 * first, because URL parsers turn `2130706433`, `0x7f.1`, back-slashes and tabs into a clean loopback address. What a
 * name resolves to is checked when the connection is made.
 */

const LENGTH_MAX = 2_048;
/** RFC 3986 characters; no blank, control, back-slash, quote, bracket of another kind, or anything beyond ASCII. */
const URL_CHARACTERS = /^[A-Za-z0-9\-._~:/?[\]@!$&'()*+,;=%]+$/;
const SHAPE = /^(https?):\/\/([^/?]+)(?:[/?].*)?$/i;
const AUTHORITY = /^([a-z0-9.-]+|\[[0-9a-f:.]+\])(?::(\d{1,5}))?$/i;
const HTTP_PORT = 80;
const HTTPS_PORT = 443;
const PORT_MAX = 65_535;
/** Lower ports belong to system services, never to a partner's receiver. */
const UNPRIVILEGED_PORT_MIN = 1_024;
/** Ports from 1024 up that browsers refuse because other protocols use them. Source: Fetch standard, "bad port". */
const BAD_PORTS = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/i;
/** A last label that makes URL parsers read the whole host as an IPv4 address. */
const NUMERIC_LABEL = /^(?:\d+|0x[0-9a-f]*)$/i;
/** Names that mean "this network" or nothing at all. */
const PRIVATE_SUFFIXES = [
  'localhost',
  'local',
  'internal',
  'localdomain',
  'lan',
  'home',
  'corp',
  'intranet',
  'private',
  'home.arpa',
  'onion',
  'invalid',
];

type Options = {
  /** Who opens the address: we do, from inside our network, or the buyer's browser, which may go anywhere public. */
  readonly openedBy: 'us' | 'browser';
  /** TEST only: also accepts plain http, loopback, IP literals and short names. */
  readonly allowPrivate: boolean;
  /** Names and addresses of this very system, with or without a port: it must not call itself. */
  readonly ownHosts?: readonly string[];
};

/**
 * The same address with its host in ASCII (`пример.рф` becomes `xn--e1afmkfd.xn--p1ai`), the form in which it is stored
 * and checked. Text without such a host is returned unchanged, for `publicUrlProblem` to refuse.
 */
export function withAsciiHost(text: string): string {
  const [, before = '', host = '', after = ''] = /^(https?:\/\/)([^/?#@:[\]\\]+)(.*)$/is.exec(text) ?? [];
  if (!/\P{ASCII}/u.test(host)) return text;
  const ascii = domainToASCII(host);
  return ascii === '' ? text : `${before}${ascii}${after}`;
}

const defaultPortOf = (protocol: string) => (protocol === 'https:' ? HTTPS_PORT : HTTP_PORT);

/** Scheme, host and port of an address whose host is ASCII. */
const ORIGIN = /^(https?):\/\/([a-z0-9.-]+|\[[0-9a-f:.]+\])(?::(\d{1,5}))?(?=[/?]|$)/i;

/**
 * The same address with the scheme, host and port that are called, the form in which it is stored and shown: an ASCII host
 * (`withAsciiHost`) in lower case, and no default port.
 */
export function withCalledOrigin(text: string): string {
  return withAsciiHost(text).replace(ORIGIN, (_origin, scheme: string, host: string, port: string | undefined) => {
    const protocol = scheme.toLowerCase();
    const isDefault = port === undefined || Number(port) === defaultPortOf(`${protocol}:`);
    return `${protocol}://${host.toLowerCase()}${isDefault ? '' : `:${String(Number(port))}`}`;
  });
}

/**
 * What is wrong with this address, as a sentence for the partner; undefined if nothing is. Never repeats the value.
 * See spec/service-contract#integration-settings and spec/decisions#ports-of-live-addresses.
 */
export function publicUrlProblem(text: string, options: Options): string | undefined {
  if (text.length > LENGTH_MAX) return `must be at most ${String(LENGTH_MAX)} characters`;
  if (text.includes('#')) return 'must not have a fragment';
  if (!URL_CHARACTERS.test(text)) return 'must consist of URL characters only; percent-encode everything else';
  const shape = SHAPE.exec(text);
  if (shape === null) return 'must be an absolute https address';
  const [, scheme = '', authority = ''] = shape;
  if (authority.includes('@')) return 'must not contain a user name or password';
  const problem = authorityProblem(authority, options) ?? (options.allowPrivate ? undefined : schemeProblem(scheme));
  return problem ?? parsedProblem(text, options.ownHosts ?? []);
}

/**
 * What is wrong with this address for it to be saved: as `publicUrlProblem`, and whatever a URL parser would write in
 * another way. What is saved, by `withCalledOrigin`, is so what is called, byte for byte.
 */
export function savedUrlProblem(text: string, options: Options): string | undefined {
  return publicUrlProblem(text, options) ?? rewriteProblem(withCalledOrigin(text));
}

/** A segment of a path that URL parsers take out, with the one before it. They read `%2e` as a dot. */
const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?:\/|$)/i;

function rewriteProblem(text: string): string | undefined {
  const { protocol, host, pathname, search } = new URL(text);
  const [, origin = '', target = ''] = /^([^/]+\/\/[^/?]+)(.*)$/s.exec(text) ?? [];
  const [path = ''] = target.split('?');
  if (origin !== `${protocol}//${host}`) return 'must have an IP address in its usual form, such as 192.0.2.1 or [2001:db8::1]';
  if (/%(?![0-9a-f]{2})/i.test(target)) return 'must have two hexadecimal digits after each %';
  if (DOT_SEGMENT.test(path)) return 'must not have . or .. as a segment of its path';
  if (target === `${path}?`) return 'must not end with a ? that no query follows';
  // The path of an address without one is /: RFC 9112, 3.2.1.
  const isCalled = `${pathname}${search}` === (target.startsWith('/') ? target : `/${target}`);
  return isCalled ? undefined : 'must be percent-encoded as it will be called';
}

const schemeProblem = (scheme: string) => (scheme.toLowerCase() === 'https' ? undefined : 'must be an https address');

function authorityProblem(authority: string, options: Options): string | undefined {
  const [, host, port] = AUTHORITY.exec(authority) ?? [];
  if (host === undefined) return 'must name a public host';
  return hostProblem(host.toLowerCase(), options) ?? (port === undefined ? undefined : portProblem(Number(port), options));
}

function portProblem(port: number, { openedBy, allowPrivate }: Options): string | undefined {
  if (port < 1 || port > PORT_MAX) return 'must use a port from 1 to 65535';
  if (openedBy === 'browser' || allowPrivate || port === HTTPS_PORT) return undefined;
  return port < UNPRIVILEGED_PORT_MIN || BAD_PORTS.has(port)
    ? 'must use port 443, or one from 1024 up that no other protocol is known for'
    : undefined;
}

function hostProblem(host: string, { openedBy, allowPrivate }: Options): string | undefined {
  const literal = host.replace(/^\[(.*)\]$/, '$1');
  if (isIP(literal) !== 0) {
    if (allowPrivate) return undefined;
    if (openedBy === 'us') return 'must name a host, not an IP address';
    return isPublicAddress(literal) ? undefined : 'must name a public host';
  }
  const labels = host.split('.');
  if (host.length > 253 || !labels.every((label) => LABEL.test(label))) return 'must name a public host';
  return allowPrivate ? undefined : nameProblem(labels);
}

function nameProblem(labels: readonly string[]): string | undefined {
  if (NUMERIC_LABEL.test(labels.at(-1) ?? '')) return 'must name a host, not an IP address';
  const name = labels.join('.');
  const isPrivate = PRIVATE_SUFFIXES.some((suffix) => name === suffix || name.endsWith(`.${suffix}`));
  return labels.length < 2 || isPrivate ? 'must name a public host' : undefined;
}

function parsedProblem(text: string, ownHosts: readonly string[]): string | undefined {
  if (!parses(text)) return 'must be a valid address';
  const { hostname, port, protocol } = new URL(text);
  const isOwn = isOwnName(ownHosts, hostname, port === '' ? defaultPortOf(protocol) : Number(port));
  return isOwn ? 'must not be this service itself' : undefined;
}

/** The platform's parser agrees, and found nothing that the checks above missed. */
function parses(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return url.username === '' && url.password === '' && url.hash === '' && url.hostname !== '';
}
