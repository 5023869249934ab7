/** A refusal by the console's API. */
export class ApiFault extends Error {
  override readonly name = 'ApiFault';
  readonly status: number;
  readonly code: string;
  readonly details: readonly { readonly field: string; readonly message: string }[];
  /** The whole body: for a 409, `current` has the newer state. */
  readonly body: Readonly<Record<string, unknown>>;

  constructor(status: number, body: Readonly<Record<string, unknown>>) {
    super(textOf(body['error'] ?? body['message']) ?? `The server answered ${String(status)}`);
    this.status = status;
    this.code = textOf(body['code']) ?? '';
    this.details = Array.isArray(body['details']) ? body['details'].filter(isDetail) : [];
    this.body = body;
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

function isDetail(value: unknown): value is { field: string; message: string } {
  return typeof value === 'object' && value !== null && 'field' in value && 'message' in value;
}

/** The JSON of a response. @throws ApiFault for every refusal, and if there is no response */
export async function call<T>(method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown): Promise<T> {
  const response = await fetch(path, {
    method,
    credentials: 'same-origin',
    headers: { Accept: 'application/json', ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new ApiFault(0, {
      error:
        'No connection to the console. The action may or may not have been carried out: check before repeating it.',
    });
  });
  const text = await response.text();
  const value: unknown = parse(text);
  if (!response.ok) throw new ApiFault(response.status, isRecord(value) ? value : {});
  return value as T;
}

function parse(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

export const read = <T>(path: string): Promise<T> => call<T>('GET', path);
export const post = <T>(path: string, body?: unknown): Promise<T> => call<T>('POST', path, body);

/** `?name=value&…` of the given values; empty ones are left out. */
export function queryOf(filter: Readonly<Record<string, string | undefined>>): string {
  const pairs = Object.entries(filter).filter(
    (pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== '',
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
}
