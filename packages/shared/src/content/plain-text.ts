/**
 * One spelling for each character, so that what is looked for has few: compatibility forms (full-width, superscript) as
 * plain ones, digits of any script as 0 to 9, nothing invisible. What is found here need not be in the text as written.
 */
export function plainText(text: string): string {
  if (!NOT_ASCII.test(text)) return text;
  const plain = text.replace(FOREIGN_SIGN, oneSign).normalize('NFKC');
  return plain.replace(/\p{Cf}/gu, '').replace(FOREIGN_DIGIT, asciiDigit);
}

const NOT_ASCII = /[^\0-\x7f]/;
const FOREIGN_SIGN = /(?![\0-\x7f])[\p{S}\p{P}]/gu;
const FOREIGN_DIGIT = /(?![0-9])\p{Nd}/gu;
const DIGIT = /\p{Nd}/u;
const known = new Map<string, string>();

/** A sign stays one: some would become words (™, №) or several signs (…). */
function oneSign(sign: string): string {
  return [...sign.normalize('NFKC')].length === 1 ? sign : ' ';
}

/** Unicode has the digits of a script in a row, from zero on. */
function asciiDigit(digit: string): string {
  const value = known.get(digit);
  if (value !== undefined) return value;
  const point = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (DIGIT.test(String.fromCodePoint(point - before - 1))) before += 1;
  const found = String(before % 10);
  known.set(digit, found);
  return found;
}
