import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { canonicalString, type SignedParts } from '@pay/signing/canonical-request.ts';
import { parseOpenSshKey, publicKeyOf } from '@pay/signing/ed25519.ts';
import { publicLineOfText } from '@pay/signing/key-text.ts';
import { comparePart, judgeSignature, slipsInString, type PartDifference, type SignatureVerdict, type Slip } from './signature-slips.ts';
import { isRecord } from '@pay/sdk/errors.ts';
import { contextOf, readBytes } from '../context.ts';
import { CliFault, EXIT, usage } from '../fault.ts';
import { table } from '../output.ts';

type Options = {
  request?: string;
  canonical?: string;
  serverAnswer?: string;
  body?: string;
  idempotencyKey?: string;
  timestamp?: string;
  nonce?: string;
  sign?: string;
  key?: string;
};

/** What is known about a refused request. */
type Known = { readonly parts: SignedParts; readonly sign: string | undefined; readonly publicKey: string | undefined };

/** `pay diagnose`: why a signature was refused. Works without a profile and sends nothing. */
export function addDiagnose(program: Command): void {
  program
    .command('diagnose [method] [target]')
    .description('find out why a signature was refused: compares part by part and tries the usual mistakes')
    .option('--request <file>', 'the whole HTTP request as sent (request line, headers, empty line, body); - is stdin')
    .option('--canonical <text>', 'the string you signed; @FILE reads a file, - stdin')
    .option('--server-answer <file>', "the body of the 401 (TEST): its canonicalString is the server's view")
    .option('--body <text>', 'without --request: the body as sent; @FILE reads a file')
    .option('--idempotency-key <key>', 'without --request')
    .option('--timestamp <seconds>', 'without --request; default: the first line of --canonical')
    .option('--nonce <text>', 'without --request; default: the second line of --canonical')
    .option('--sign <base64>', 'without --request: the signature you sent')
    .option('--key <line>', 'the OpenSSH public key; default: the key of the request, else of the profile')
    .action((method: string | undefined, target: string | undefined, options: Options, command: Command) => {
      const { output, profile } = contextOf(command);
      const canonical = options.canonical === undefined ? undefined : readBytes(options.canonical).toString('utf8');
      const known = options.request === undefined ? fromOptions(method, target, options, canonical) : fromRequest(options.request);
      const publicKey = options.key ?? known.publicKey ?? (known.sign === undefined ? undefined : profile().publicKey);
      const report = diagnose({ ...known, publicKey }, canonical, serverView(options.serverAnswer));
      const lines = render(report);
      if (report.verdict === 'right') output.result(lines, report);
      else throw new CliFault(EXIT.refused, lines.join('\n'), report);
    });
}

type Report = {
  readonly verdict: 'right' | 'wrong';
  readonly parts: readonly PartDifference[];
  readonly slips: readonly Slip[];
  readonly summary: string;
};

function diagnose(known: Known, canonical: string | undefined, server: string | undefined): Report {
  const expected = server ?? canonicalString(known.parts);
  const given = canonical ?? canonicalString(known.parts);
  const parts = comparePart(expected, given);
  const stringSlips = canonical === undefined ? [] : slipsInString(known.parts, canonical);
  const signature = judge(known);
  const slips = [...stringSlips, ...(signature?.slips ?? [])].filter(
    (slip, index, all) => all.findIndex(({ name }) => name === slip.name) === index,
  );
  const isStringRight = parts.every(({ matches }) => matches);
  const isRight = isStringRight && (signature === undefined || signature.isRight);
  return {
    verdict: isRight ? 'right' : 'wrong',
    parts,
    slips,
    summary: summarise(isStringRight, signature?.isRight, slips),
  };
}

function judge({ parts, sign, publicKey }: Known): SignatureVerdict | undefined {
  if (sign === undefined || publicKey === undefined) return undefined;
  const bytes = parseOpenSshKey(publicLineOfText(publicKey)) ?? Buffer.alloc(0);
  return judgeSignature(parts, sign, publicKeyOf(bytes));
}

function summarise(isStringRight: boolean, isSignatureRight: boolean | undefined, slips: readonly Slip[]): string {
  const [slip] = slips;
  if (slip !== undefined) return `found: ${slip.name}. ${slip.advice}.`;
  if (!isStringRight) return 'the marked parts differ; no single usual mistake explains it.';
  if (isSignatureRight === undefined) return 'the string is correct; pass --sign to check the signature as well.';
  return isSignatureRight
    ? 'string and signature are correct: check the clock, whether the nonce was used before, and whether the key is active.'
    : 'the signature belongs to another string or another key, and no usual mistake explains it.';
}

function render({ parts, slips, summary }: Report): string[] {
  const rows = parts.map(({ name, matches, expected, given, firstDifferingByte }, index) => [
    String(index + 1),
    matches ? 'match' : 'DIFFERS',
    name,
    visible(matches ? expected : given),
    matches ? '' : `should be ${visible(expected)} (first at byte ${String(firstDifferingByte ?? 0)})`,
  ]);
  return [...table(rows), '', summary, ...slips.slice(1).map(({ name, advice }) => `also: ${name}. ${advice}.`)];
}

/** Makes line ends and empty parts visible. */
function visible(text: string): string {
  return text === '' ? '(empty)' : text.replaceAll('\r', '␍').replaceAll('\n', '␊');
}

function fromOptions(method: string | undefined, target: string | undefined, options: Options, canonical: string | undefined): Known {
  if (method === undefined || target === undefined) throw usage('pass METHOD and TARGET, or the whole request with --request');
  const lines = canonical?.split(/\r?\n/) ?? [];
  const timestamp = options.timestamp ?? lines[0];
  const nonce = options.nonce ?? lines[1];
  if (timestamp === undefined || nonce === undefined) throw usage('--timestamp and --nonce are needed without --canonical');
  const idempotencyKey = options.idempotencyKey ?? '';
  const parts = { timestamp, nonce, method, target, idempotencyKey, body: readBytes(options.body) };
  return { parts, sign: options.sign, publicKey: undefined };
}

/** Reads a saved request. Header names are case-insensitive; the body is every byte after the empty line. */
function fromRequest(file: string): Known {
  const { head, body } = splitRequest(readFileSync(file === '-' ? 0 : file));
  const [requestLine = '', ...headerLines] = head.split(/\r?\n/);
  const [, method, target] = /^(\S+) (\S+)(?: HTTP\/\S+)?$/.exec(requestLine) ?? [];
  if (method === undefined || target === undefined) {
    throw usage(`${file} does not begin with a request line such as POST /api/card HTTP/1.1`);
  }
  const header = (name: string): string | undefined => {
    const line = headerLines.find((one) => one.toLowerCase().startsWith(`${name}:`));
    return line?.slice(name.length + 1).trim();
  };
  const { timestamp = '', nonce = '', sign, key } = readAuthorization(header('authorization'));
  const idempotencyKey = header('idempotency-key') ?? '';
  return { parts: { timestamp, nonce, method, target, idempotencyKey, body }, sign, publicKey: key };
}

/** Splits at the first empty line, with either kind of line end. */
function splitRequest(bytes: Buffer): { head: string; body: Buffer } {
  const ends = ['\r\n\r\n', '\n\n']
    .map((gap) => ({ at: bytes.indexOf(gap), length: gap.length }))
    .filter(({ at }) => at !== -1)
    .sort((a, b) => a.at - b.at);
  const [end = { at: bytes.length, length: 0 }] = ends;
  return { head: bytes.toString('latin1', 0, end.at), body: bytes.subarray(end.at + end.length) };
}

function readAuthorization(value: string | undefined): Record<string, string> {
  if (value === undefined) throw usage('the request has no Authorization header');
  let json: unknown;
  try {
    json = JSON.parse(value);
  } catch {
    throw usage('the Authorization header is not JSON: it is an object with partnerID, key, sign, timestamp, nonce');
  }
  if (!isRecord(json)) throw usage('the Authorization header is not a JSON object');
  for (const name of ['partnerID', 'key', 'sign', 'timestamp', 'nonce']) {
    if (typeof json[name] !== 'string') throw usage(`the Authorization header has no string ${name}`);
  }
  return Object.fromEntries(Object.entries(json).map(([name, text]) => [name, String(text)]));
}

/** The canonical string from the body of a 401. */
function serverView(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  const body: unknown = JSON.parse(readFileSync(file, 'utf8'));
  const details: unknown = isRecord(body) ? body['details'] : undefined;
  const detail: unknown = Array.isArray(details)
    ? details.find((one: unknown) => isRecord(one) && one['field'] === 'canonicalString')
    : undefined;
  if (!isRecord(detail) || typeof detail['message'] !== 'string') {
    throw usage(`${file} has no canonicalString: only TEST returns it, and only if partner and key are correct`);
  }
  return detail['message'];
}
