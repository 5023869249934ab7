// Money is an integer of kopecks in the database and a decimal string on the wire. It never passes through a fraction:
// 0.1 + 0.2 is not 0.3 for a computer.

/** `1050` → `'10.50'`, as the service wants it. */
export function rubles(kopecks: number): string {
  const digits = String(kopecks).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** `'10.5'`, `'10,50'` or `'10'` → kopecks. Undefined for anything else, and for nothing at all. */
export function kopecksOf(text: string): number | undefined {
  const [, whole, fraction = ''] = /^(\d{1,9})(?:[.,](\d{1,2}))?$/.exec(text.trim()) ?? [];
  if (whole === undefined) return undefined;
  const kopecks = Number(whole + fraction.padEnd(2, '0'));
  return kopecks === 0 ? undefined : kopecks;
}
