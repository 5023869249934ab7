/** What has the form of an IBAN, in groups or not. */
export const IBAN = /(?<![A-Za-z0-9])[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?(?![A-Za-z0-9])/gu;

/** ISO 13616: the country and check digits to the end, letters as numbers, is 1 modulo 97. */
export function isIban(found: string): boolean {
  const iban = found.replaceAll(' ', '');
  const digits = (iban.slice(4) + iban.slice(0, 4)).replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return BigInt(digits) % 97n === 1n;
}
