/**
 * The lexical half of address safety: is this text an absolute, public https address? Judged on the raw text first,
 * because URL parsers turn `2130706433`, `0x7f.1`, back-slashes and tabs into a clean loopback address. What a name
 * resolves to is checked where the connection is made.
 */

const LENGTH_MAX = 2_048;
/** RFC 3986 characters; no blank, control, back-slash, quote, bracket of another kind, or anything beyond ASCII. */
const URL_CHARACTERS = /^[A-Za-z0-9\-._~:/?[\]@!$&'()*+,;=%]+$/;
const SHAPE = /^(https?):\/\/([^/?]+)(?:[/?].*)?$/i;
const AUTHORITY = /^([a-z0-9.-]+)(?::(\d{1,5}))?$/i;
/** Ports of https; others are how internal services are reached. */
const PORTS = new Set(['443', '8443']);
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
  /** TEST only: plain http, loopback, literal addresses and short names are taken as well. */
  readonly allowPrivate: boolean;
  /** Names and addresses of this very service: it must not call itself. */
  readonly ownHosts?: readonly string[];
};

/** What is wrong with this address, as a sentence for the partner; undefined when it is good. Never repeats the value. */
export function publicUrlProblem(text: string, options: Options): string | undefined {
  if (text.length > LENGTH_MAX) return `must be at most ${String(LENGTH_MAX)} characters`;
  if (text.includes('#')) return 'must not have a fragment';
  if (!URL_CHARACTERS.test(text)) return 'must consist of URL characters only; percent-encode everything else';
  const shape = SHAPE.exec(text);
  if (shape === null) return 'must be an absolute https address';
  const [, scheme = '', authority = ''] = shape;
  if (authority.includes('@')) return 'must not contain a user name or password';
  const problem = options.allowPrivate ? undefined : whyNotPublic(scheme, authority);
  return problem ?? parsedProblem(text, options.ownHosts ?? []);
}

function whyNotPublic(scheme: string, authority: string): string | undefined {
  return scheme.toLowerCase() === 'https' ? authorityProblem(authority) : 'must be an https address';
}

function authorityProblem(authority: string): string | undefined {
  const parts = AUTHORITY.exec(authority);
  if (parts === null) return 'must name a public host';
  const [, host = '', port] = parts;
  if (port !== undefined && !PORTS.has(port)) return 'must use port 443 or 8443';
  const labels = host.toLowerCase().split('.');
  const last = labels.at(-1) ?? '';
  if (NUMERIC_LABEL.test(last)) return 'must name a host, not an IP address';
  if (labels.length < 2 || host.length > 253 || !labels.every((label) => LABEL.test(label))) {
    return 'must name a public host';
  }
  const name = labels.join('.');
  const isPrivate = PRIVATE_SUFFIXES.some((suffix) => name === suffix || name.endsWith(`.${suffix}`));
  return isPrivate ? 'must name a public host' : undefined;
}

function parsedProblem(text: string, ownHosts: readonly string[]): string | undefined {
  if (!parses(text)) return 'must be a valid address';
  return ownHosts.includes(new URL(text).hostname) ? 'must not be this service itself' : undefined;
}

/** The platform's parser agrees, and found nothing that the checks above did not see. */
function parses(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return url.username === '' && url.password === '' && url.hash === '' && url.hostname !== '';
}
