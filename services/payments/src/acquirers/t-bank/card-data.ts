import { constants, publicEncrypt, type KeyObject } from 'node:crypto';
import type { CardDetails } from '../acquirer.ts';

/**
 * `CardData` of FinishAuthorize and Check3dsVersion: `PAN=…;ExpDate=MMYY;CVV=…`, encrypted with the terminal's public
 * key (X.509, RSA 2048) and encoded in base64. Source: www.tbank.ru/kassa/dev/payments, FinishAuthorize, which does not name
 * the padding. It is PKCS#1 v1.5, as in the bank's own mobile SDK (`RSA/ECB/PKCS1Padding` in CryptoUtils.kt of
 * github.com/tinkoff-mobile-tech/tinkoff-asdk-android; field names and their order in CardData.kt).
 */
export function cardDataOf({ number, expiryMonth, expiryYear, cvv }: CardDetails, key: KeyObject): string {
  const month = String(expiryMonth).padStart(2, '0');
  const plain = `PAN=${number};ExpDate=${month}${String(expiryYear).slice(-2)};CVV=${cvv}`;
  return publicEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, Buffer.from(plain)).toString('base64');
}

/** `220070******1234`: the first six and the last four digits, which may be shown. */
export function maskOf(number: string): string {
  return `${number.slice(0, 6)}******${number.slice(-4)}`;
}
