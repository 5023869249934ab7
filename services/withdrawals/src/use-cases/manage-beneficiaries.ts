import { randomInt } from 'node:crypto';
import { inTransaction, onlyRow, type Db, type Reader } from '@pay/shared/database/database.ts';
import { insertBeneficiary, listBeneficiaries, type Beneficiary } from '../db/beneficiaries.ts';
import { appendAudit } from '../db/operator-audit.ts';

export type { Beneficiary } from '../db/beneficiaries.ts';

/** Letters that cannot be misread, and no run that could be somebody's number or address. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz';
const LETTER_COUNT = 16;

/** Issues the reference of a recipient agreed with a partner. What was agreed is never stored here. */
export async function issueBeneficiary(
  db: Db,
  operator: string,
  partnerId: string,
  label: string,
): Promise<Beneficiary> {
  return inTransaction(db, async (tx) => {
    const letters = Array.from({ length: LETTER_COUNT }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('');
    const given = { beneficiaryRef: `bnf-${letters}`, partnerId, label, issuedBy: operator };
    const inserted = await insertBeneficiary(tx, given);
    const beneficiary = onlyRow(inserted === undefined ? [] : [inserted]);
    await appendAudit(tx, {
      operator,
      action: 'beneficiary.issue',
      subjectId: beneficiary.beneficiaryRef,
      partnerId,
      before: null,
      after: { label },
    });
    return beneficiary;
  });
}

/** All recipients agreed with a partner. */
export async function readBeneficiaries(reader: Reader, partnerId: string): Promise<Beneficiary[]> {
  return listBeneficiaries(reader, partnerId);
}
