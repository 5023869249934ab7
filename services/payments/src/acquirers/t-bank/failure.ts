import type { FailureCode, RefundFailureCode } from '@pay/contract/messages.ts';

/**
 * Our failure code for the bank's ErrorCode. Source: "Коды ошибок" of www.tbank.ru/kassa/dev/payments (OpenAPI copy of
 * 2025-09 in github.com/kravetsone/t-kassa-api). Any other code of a rejected payment is a
 * plain decline by the issuer.
 */
const CODES: Partial<Record<FailureCode, readonly string[]>> = {
  INSUFFICIENT_FUNDS: ['103', '116', '1051', '5060'],
  CARD_EXPIRED: ['252', '1033', '1054'],
  CARD_BLOCKED: ['506', '600', '1041', '5065', '5066'],
  INVALID_CARD_DETAILS: ['218', '219', '221', '234', '238', '239', '508', '642', '1014', '1015', '1039', '1053', '1080', '1082'],
  CARD_NOT_SUPPORTED: ['76', '77', '105', '106', '108', '507', '601', '1078', '1205', '1235'],
  LIMIT_EXCEEDED: ['119', '603', '632', '633', '634', '1013', '1019', '1061', '1065', '1075', '1202', '1203', '1204', '5061', '5062'],
  AUTHENTICATION_FAILED: ['101', '511', '2014'],
  FRAUD_SUSPECTED: ['1004', '1007', '1043', '1059', '1063', '1093', '1094', '3003', '5036', '5063'],
  CONSENT_REVOKED: ['3012', '3014', '3015', '5031'],
  ISSUER_UNAVAILABLE: ['1091'],
  PROCESSING_ERROR: ['1003', '1030', '1096', '1099'],
};
const BY_CODE = new Map(Object.entries(CODES).flatMap(([failure, codes]) => codes.map((code) => [code, failure] as const)));

/** Faults of our account, whatever was asked: terminal blocked or not found, wrong signature. */
const ACCOUNT_FAULTS = new Set(['202', '204', '205', '501']);
/** "Внутренняя ошибка", "Повторите попытку позже" and the like: they say nothing about the operation. */
const FAULTS = new Set(['3', '21', '96', '97', '98', '331', '401', '402', '515', '648', '903', '999', '3040', '7999', '9001', '9999']);

/** "Платеж не найден", "Транзакция не найдена", "OrderId не найден для TerminalKey". */
const ABSENT = new Set(['255', '325', '335', '407', '914']);

/** The failure code of a payment that the bank rejected. */
export function failureOf(errorCode: string): FailureCode {
  return knownFailureOf(errorCode) ?? 'DECLINED_BY_ISSUER';
}

/** As `failureOf`; undefined for a code that says nothing about the card. */
export function knownFailureOf(errorCode: string): FailureCode | undefined {
  const found = BY_CODE.get(errorCode);
  return isFailure(found) ? found : undefined;
}

function isFailure(name: string | undefined): name is FailureCode {
  return name !== undefined && Object.hasOwn(CODES, name);
}

/** 3002: insufficient funds on the shop's account; 3028, 3031, 5038: the buyer's bank refused the refund. */
const REFUND_DECLINES: ReadonlyMap<string, RefundFailureCode> = new Map<string, RefundFailureCode>([
  ['3002', 'INSUFFICIENT_FUNDS'],
  ...['3028', '3031', '5038', '79'].map((code) => [code, 'DECLINED_BY_ISSUER'] as const),
]);

/** Our failure code for a refund that the bank refused. */
export function refundFailureOf(errorCode: string): RefundFailureCode {
  return REFUND_DECLINES.get(errorCode) ?? 'PROCESSING_ERROR';
}

/** Whether the bank refused this very refund for a reason outside the payment: money that is gone is none. */
export const isDecline = (errorCode: string): boolean => REFUND_DECLINES.has(errorCode);

/**
 * Where the fault lies if a method answers with this code; undefined: the code is about the operation. For a method that
 * involves a card, the card may have caused a vague code.
 */
export function faultOf(errorCode: string, takesCard: boolean): 'bank' | 'perhaps-card' | undefined {
  if (ACCOUNT_FAULTS.has(errorCode)) return 'bank';
  if (!FAULTS.has(errorCode)) return undefined;
  return takesCard ? 'perhaps-card' : 'bank';
}
export const isAbsent = (errorCode: string): boolean => ABSENT.has(errorCode);
