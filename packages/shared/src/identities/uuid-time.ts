const UUID_V7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7/;

/** When a UUIDv7 was made, in milliseconds since 1970 (RFC 9562, 5.7); undefined for other text. */
export function madeAtMs(uuid: string): number | undefined {
  const [, high = '', low = ''] = UUID_V7.exec(uuid) ?? [];
  return high === '' ? undefined : Number.parseInt(high + low, 16);
}
