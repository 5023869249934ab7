import { sql } from 'drizzle-orm';
import type { Reader } from '@pay/shared/postgres/db.ts';
import { selectRows } from '@pay/shared/postgres/select-rows.ts';

/** The token of one of the newest payments still waiting for a card; undefined if there is none. */
export async function findOpenCheckout(reader: Reader): Promise<string | undefined> {
  const rows = await selectRows<{ checkoutToken: string }>(
    reader,
    sql`
    select form_token as "checkoutToken"
    from (select * from payments order by created_at desc, payment_id desc limit 200) as newest
    where status = 'SUBMITTED' and method = 'CARD' and card_sent_at is null and operation_id is null and expires_at > clock_now() limit 1`,
  );
  return rows[0]?.checkoutToken;
}
