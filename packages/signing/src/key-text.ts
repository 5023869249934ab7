// Keys as people paste them, without Node: the pages, the command line and the SDK read them with this. What is taken and
// what each refusal says is sdks/conformance/keys.json, which the SDK of every language passes.

const TYPE = 'ssh-ed25519';
/** DER of an Ed25519 key, up to its 32 bytes. Source: RFC 8410, sections 4 and 7. */
const PKCS8 = [0x30, 46, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 34, 4, 32];
const SPKI = [0x30, 42, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 3, 33, 0];

type Half = 'private' | 'public';

const GIVE: Readonly<Record<Half, string>> = {
  private: 'give the whole text of the private key file, from BEGIN to END',
  public: 'give the whole line that begins with ssh-ed25519',
};
const MAKE = 'make one with `pay keys generate` or `openssl genpkey -algorithm ed25519`';
const DECRYPT = 'remove the passphrase of a copy with `openssl pkey -in COPY -out NEW` or `ssh-keygen -p -N "" -f COPY`';

const empty = (half: Half) => new Error(`the ${half} key is empty: ${GIVE[half]}`);
const wrongHalf = (half: Half, given: Half) => new Error(`this is a ${given} key, not the ${half} one: ${GIVE[half]}`);
const bare = (half: Half) => new Error(`the ${half} key has lost its frame: ${GIVE[half]}`);
const cut = (half: Half) => new Error(`the ${half} key is cut or damaged: ${GIVE[half]}`);
const none = (half: Half) => new Error(`this is no ${half} key: ${GIVE[half]}`);
const otherAlgorithm = (half: Half) => new Error(`the ${half} key is not an Ed25519 key: ${MAKE}`);
const encrypted = () => new Error(`the private key is encrypted: ${DECRYPT}`);

/** Both keys are readable. */
export const NO_PAIR = 'the public and the private key do not match: give the two of one pair';

/**
 * The 32 secret bytes of a private key: PKCS#8 PEM, or OpenSSH's own format, which `ssh-keygen` writes. Text around it
 * is left out; `\n` may be written as two characters, as in an environment variable.
 * @throws Error with the sentence for whoever pasted it
 */
export function secretOfText(given: string): Uint8Array<ArrayBuffer> {
  const text = plain(given);
  const block = blockOf(text);
  if (block !== undefined) return secretOfPem(block);
  const isPublic = wordsOf(text).some((word, at, words) => isOfSsh(word) && words[at + 1]?.startsWith('AAAA') === true);
  throw isPublic ? wrongHalf('private', 'public') : unframed('private', text);
}

function secretOfPem({ label, bytes }: Block): Uint8Array<ArrayBuffer> {
  if (label === 'ENCRYPTED PRIVATE KEY') throw encrypted();
  if (label === 'OPENSSH PRIVATE KEY') return secretOfOpenSsh(bytes);
  if (label.endsWith('PUBLIC KEY')) throw wrongHalf('private', 'public');
  if (!label.endsWith('PRIVATE KEY')) throw none('private');
  if (label !== 'PRIVATE KEY') throw otherAlgorithm('private');
  if (!isDer(bytes)) throw cut('private');
  // Version 2 has the public key behind the private one. Source: RFC 5958.
  if (!PKCS8.every((byte, at) => at === 1 || at === 4 || bytes[at] === byte)) throw otherAlgorithm('private');
  return bytes.slice(16, 48);
}

/** The PKCS#8 DER of 32 secret bytes. */
export const pkcs8Of = (secret: Uint8Array): Uint8Array<ArrayBuffer> => Uint8Array.of(...PKCS8, ...secret);

/**
 * The OpenSSH line of a public key without its comment, as requests carry it. An SPKI PEM is taken as well.
 * @throws Error with the sentence for whoever pasted it
 */
export function publicLineOfText(given: string): string {
  const text = plain(given);
  const words = wordsOf(text);
  const blob = words.find((word, at) => word.startsWith('AAAA') && words[at - 1] === TYPE);
  if (blob !== undefined) return lineOfBlob(blob);
  const block = blockOf(text);
  if (block !== undefined) return lineOfPem(block);
  if (words.includes(TYPE)) throw cut('public');
  throw words.some(isOfSsh) ? otherAlgorithm('public') : unframed('public', text);
}

function lineOfBlob(base64: string): string {
  const blob = bytesOfBase64(base64);
  if (blob?.length !== 51 || !blobStart().every((byte, at) => blob[at] === byte)) throw cut('public');
  return `${TYPE} ${base64}`;
}

function lineOfPem({ label, bytes }: Block): string {
  if (label.endsWith('PRIVATE KEY')) throw wrongHalf('public', 'private');
  if (!label.endsWith('PUBLIC KEY')) throw none('public');
  if (label !== 'PUBLIC KEY') throw otherAlgorithm('public');
  if (!isDer(bytes)) throw cut('public');
  if (!SPKI.every((byte, at) => bytes[at] === byte)) throw otherAlgorithm('public');
  return publicLineOf(bytes.subarray(SPKI.length));
}

/** The OpenSSH line of 32 public bytes. Source: RFC 8709, section 4. */
export const publicLineOf = (key: Uint8Array): string => `${TYPE} ${btoa(String.fromCharCode(...blobStart(), ...key))}`;

/** The bytes of standard, padded base64; undefined for any other text. */
export function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) return undefined;
  const latin1 = atob(text);
  if (btoa(latin1) !== text) return undefined;
  return Uint8Array.from(latin1, (char) => char.charCodeAt(0));
}

/** What keys of SSH begin with. */
const isOfSsh = (word: string) => /^(?:ssh-(?:ed25519|rsa|dss)|ecdsa-sha2-|sk-(?:ssh|ecdsa)-)/.test(word);

/** Editors put a byte order mark before a file, chats put no-break and zero-width spaces into it. */
const plain = (text: string) =>
  text
    .replace(/\\+[nr]/g, '\n')
    .replace(/[\uFEFF\u200B]/g, '')
    .replace(/\u00A0/g, ' ');

const wordsOf = (text: string) => text.split(/[ \t\r\n\f\v"'`]+/).filter((word) => word !== '');

/** A PEM block; no bytes if they are cut. */
type Block = { readonly label: string; readonly bytes: Uint8Array<ArrayBuffer> };

/** The block of a private key if there are several. */
function blockOf(text: string): Block | undefined {
  const begins = [...text.matchAll(/-----BEGIN ([A-Z0-9 ]+)-----/g)];
  const begin = begins.find(([line]) => line.endsWith('PRIVATE KEY-----')) ?? begins[0];
  if (begin === undefined) return undefined;
  const [line, label = ''] = begin;
  const from = begin.index + line.length;
  const to = text.indexOf(`-----END ${label}-----`, from);
  const base64 = to < 0 ? '' : text.slice(from, to).replace(/[ \t\r\n\f\v]+/g, '');
  return { label, bytes: bytesOfBase64(base64) ?? new Uint8Array() };
}

/** Why a text without the frame of a key is none. */
function unframed(half: Half, text: string): Error {
  const words = wordsOf(text);
  if (words.length === 0) return empty(half);
  if (text.includes('-----BEGIN ') || text.includes('-----END ')) return cut(half);
  return /^[A-Za-z0-9+/]{43,}={0,2}$/.test(words.join('')) ? bare(half) : none(half);
}

/** Whether it is one whole DER sequence: a key that was cut is none. */
function isDer([tag, first = 0, second = 0, third = 0, ...rest]: Uint8Array): boolean {
  if (tag !== 0x30) return false;
  if (first < 0x80) return rest.length + 4 === first + 2;
  return rest.length + 4 === (first === 0x81 ? second + 3 : first === 0x82 ? second * 256 + third + 4 : -1);
}

/** Length and name of the type, and the length of the key that follows. */
const blobStart = () => [0, 0, 0, TYPE.length, ...new TextEncoder().encode(TYPE), 0, 0, 0, 32];

/** Source: OpenSSH, PROTOCOL.key. */
function secretOfOpenSsh(blob: Uint8Array): Uint8Array<ArrayBuffer> {
  const outer = reader(blob);
  if (outer.take(15) !== 'openssh-key-v1\0') throw cut('private');
  if (outer.text() !== 'none') throw encrypted();
  outer.text(); // The key derivation function and its options: none, because the cipher is none.
  outer.text();
  if (outer.take(4) !== '\0\0\0\x01') throw cut('private'); // One key.
  outer.text(); // The public key, which is repeated below.
  const inner = reader(Uint8Array.from(outer.text(), (char) => char.charCodeAt(0)));
  if (inner.take(4) !== inner.take(4)) throw cut('private');
  if (inner.text() !== TYPE) throw otherAlgorithm('private');
  const publicKey = inner.text();
  const secret = inner.text();
  if (secret.length !== 64 || secret.slice(32) !== publicKey) throw cut('private');
  return Uint8Array.from(secret.slice(0, 32), (char) => char.charCodeAt(0));
}

/** SSH's wire format, a byte a character: texts prefixed with their length in four bytes. */
function reader(bytes: Uint8Array): { take(length: number): string; text(): string } {
  let at = 0;
  const take = (length: number): string => {
    if (at + length > bytes.length) throw cut('private');
    at += length;
    return String.fromCharCode(...bytes.subarray(at - length, at));
  };
  const text = () => take([...take(4)].reduce((length, char) => length * 256 + char.charCodeAt(0), 0));
  return { take, text };
}
