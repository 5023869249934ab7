import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from './browser.ts';
import { expectAccessible, givenRequest, openedDialog, signIn, type Desk } from './console.ts';
import { openWorld, until, type World } from './world.ts';

/** Two finance operators in two browsers, with one queue of withdrawal requests. */
let world: World;
let browser: Browser;
let olga: Desk;
let ivan: Desk;
const faults: string[] = [];

beforeAll(async () => {
  world = await openWorld();
  browser = await openBrowser();
  olga = await signIn(world, browser, 'olga', { faults });
  ivan = await signIn(world, browser, 'ivan', { faults });
});
afterAll(async () => {
  await browser.close();
  await world.close();
});

const REQUEST = 'Withdrawal request';
const alert = (page: Page) => page.getByRole('alert');
const stateOf = (page: Page, state: string) => page.locator('dd').filter({ hasText: new RegExp(`^${state}$`) });

/** Presses an action's button and the button of its dialog. */
async function act({ page }: Desk, button: string, fill: () => Promise<void> = () => Promise.resolve()): Promise<void> {
  await page.getByLabel('Actions').getByRole('button', { name: button, exact: true }).click();
  await openedDialog(page);
  await fill();
  await page.getByRole('dialog').getByRole('button', { name: button, exact: true }).click();
}

async function rowsOf(id: string): Promise<{ operator: string; action: string }[]> {
  return world.query('select operator, action from withdrawals.operator_audit where subject_id = $1 order by position', [id]);
}

async function createdAt(id: string): Promise<string> {
  const [row] = await world.query<{ created_at: Date }>('select created_at from withdrawals.withdrawals where withdrawal_request_id = $1', [
    id,
  ]);
  return row?.created_at.toISOString() ?? '';
}

/** The first moment after a request. */
const behind = async (id: string): Promise<string> => new Date(Date.parse(await createdAt(id)) + 1).toISOString();

/** The cells of the CSV that the page links to, without its header. */
async function csvOf(desk: Desk): Promise<string[][]> {
  const href = await desk.page.getByRole('link', { name: 'CSV of this list' }).getAttribute('href');
  const { text } = await desk.api('GET', href ?? '');
  return text
    .trimEnd()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(','));
}

describe('two finance people and one request', () => {
  it('exactly one wins each step, the same person cannot do both, and the history shows it', async () => {
    const id = await givenRequest(world, '12.345678');
    const path = `/withdrawals/${id}`;
    await Promise.all([olga.goto(path, REQUEST), ivan.goto(path, REQUEST)]);

    // Both saw revision 1. Olga takes it; Ivan is informed and sees its current state.
    await act(olga, 'Claim');
    await stateOf(olga.page, 'In review').waitFor();
    await act(ivan, 'Claim');
    await alert(ivan.page).getByText('somebody else changed it in the meantime').waitFor();
    await stateOf(ivan.page, 'In review').waitFor();
    await expectAccessible(ivan.page, 'withdrawal-stale');

    // It is Olga's for half an hour, which Ivan sees before he tries.
    await ivan.page.getByText('olga@example.com is reviewing this until').waitFor();
    await act(ivan, 'Approve');
    await ivan.page.getByRole('dialog').getByText('Another operator is reviewing this request').waitFor();
    await ivan.page.keyboard.press('Escape');

    await act(olga, 'Approve');
    await stateOf(olga.page, 'Approved').waitFor();
    await olga.page.getByText('A colleague makes the transfer and confirms it').waitFor();
    expect(await olga.page.getByRole('button', { name: 'Confirm transfer' }).count()).toBe(0);
    // It is not just the button that stops her.
    const body = { revision: 3, transferReference: randomBytes(32).toString('hex') };
    const refused = await olga.api('POST', `/api/withdrawals${path}/complete`, body);
    expect({ status: refused.status, text: refused.text }).toEqual({
      status: 403,
      text: expect.stringContaining('a second person'),
    });

    await ivan.page.reload();
    const reference = randomBytes(32).toString('hex');
    await act(ivan, 'Confirm transfer', async () => {
      const dialog = ivan.page.getByRole('dialog');
      for (const named of ['12.345678 USDT', world.partner.partnerID, world.partner.beneficiaryRef])
        await dialog.getByText(named).first().waitFor();
      // A hash that lost its last digit stays in the dialog.
      await ivan.page.getByLabel('Transfer reference').fill(reference.slice(1));
      await dialog.getByRole('button', { name: 'Confirm transfer' }).click();
      await dialog.getByText('must be a TRON transaction hash').waitFor();
      await expectAccessible(ivan.page, 'withdrawal-transfer-dialog');
      await ivan.page.getByLabel('Transfer reference').fill(reference);
    });
    await stateOf(ivan.page, 'Completed').waitFor();
    await ivan.page.getByText('12.345678 USDT').first().waitFor();
    await ivan.page.getByText(reference).first().waitFor();
    await expectAccessible(ivan.page, 'withdrawal-completed');
    expect(await rowsOf(id)).toEqual([
      { operator: 'olga@example.com', action: 'withdrawal.take' },
      { operator: 'olga@example.com', action: 'withdrawal.approve' },
      { operator: 'ivan@example.com', action: 'withdrawal.complete' },
    ]);

    // One transfer pays for one request.
    const second = await givenRequest(world, '1');
    await olga.api('POST', `/api/withdrawals/withdrawals/${second}/take`, { revision: 1 });
    await olga.api('POST', `/api/withdrawals/withdrawals/${second}/approve`, { revision: 2 });
    await ivan.goto(`/withdrawals/${second}`, REQUEST);
    await act(ivan, 'Confirm transfer', () => ivan.page.getByLabel('Transfer reference').fill(reference));
    await alert(ivan.page).getByText('has already been used for another withdrawal request').waitFor();
  });

  it('19: one that its partner takes back meanwhile: whoever takes it is told, and the page says who cancelled', async () => {
    const id = await givenRequest(world, '4');
    await olga.goto(`/withdrawals/${id}`, REQUEST);
    // The page has read the request before its partner takes it back.
    await olga.page.getByLabel('Actions').getByRole('button', { name: 'Claim', exact: true }).waitFor();
    await world.client.cancelWithdrawalRequest(id);
    await act(olga, 'Claim');
    await alert(olga.page).getByText('somebody else changed it in the meantime').waitFor();
    await stateOf(olga.page, 'Cancelled').waitFor();
    await stateOf(olga.page, 'the partner').waitFor();
    await stateOf(olga.page, 'Cancelled by the partner').waitFor();
    expect(await rowsOf(id)).toEqual([]);
  });

  it('a double click, and both at once: one action is done', async () => {
    const id = await givenRequest(world, '2');
    const take = (desk: Desk) => desk.api('POST', `/api/withdrawals/withdrawals/${id}/take`, { revision: 1 });
    const answers = await Promise.all([take(olga), take(olga), take(ivan), take(ivan)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    expect(await rowsOf(id)).toHaveLength(1);
  });

  it('leaves two rows of each action in the console’s own audit log, refused ones too', async () => {
    const id = await givenRequest(world, '3');
    await olga.api('POST', `/api/withdrawals/withdrawals/${id}/approve`, { revision: 1 });
    const rows = await world.query<{ kind: string; status: number | null; before: { status: string } | null }>(
      'select kind, status, before from console.audit where subject_id = $1 order by position',
      [id],
    );
    expect(rows).toEqual([
      { kind: 'ASKED', status: null, before: expect.objectContaining({ status: 'REQUESTED', amountUsdt: '3.000000' }) },
      { kind: 'ANSWERED', status: 400, before: null },
    ]);
  });
});

describe('the list', () => {
  it('keeps its filters over a reload, and the CSV has exactly its rows, six digits in both', async () => {
    const first = await givenRequest(world, '0.000001');
    await givenRequest(world, '7.5');
    const last = await givenRequest(world, '1000');
    const { page } = olga;
    await olga.goto('/withdrawals', 'Withdrawals');
    await page.getByLabel('Partner').fill(world.partner.partnerID);
    await page.getByLabel('Store').fill(world.partner.storeID);
    await page.getByLabel('From').fill(await createdAt(first));
    // Tests that moved the clock have left requests with later dates.
    await page.getByLabel('To, UTC').fill(await behind(last));
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.waitForURL(/partnerID=.*from=/);
    await page.reload();
    await page.getByRole('table').waitFor();
    expect(await page.getByLabel('Partner').inputValue()).toBe(world.partner.partnerID);
    expect(new URL(page.url()).searchParams.get('storeId')).toBe(world.partner.storeID);

    const shown = await page
      .locator('tbody tr')
      .evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent)));
    const amounts = shown.map((cells) => cells[2]);
    for (const amount of amounts) expect(amount).toMatch(/^[\d,]+\.\d{6}$/);
    expect(amounts).toEqual(['0.000001', '7.500000', '1,000.000000']);
    const lines = await csvOf(olga);
    expect(lines.map((line) => line[0])).toEqual(shown.map((cells) => cells[0]));
    expect(lines.map((line) => line[5])).toEqual(amounts.map((amount) => amount?.replace(',', '')));

    await page.getByRole('tab', { name: /^Completed/ }).click();
    await page.waitForURL(/status=COMPLETED/);
    await page.goBack();
    await page.getByRole('tab', { name: /^Requested/, selected: true }).waitFor();
  });

  it('goes on behind the first page, and so does the CSV', async () => {
    const first = await givenRequest(world, '0.01');
    let last = first;
    for (let n = 1; n < 51; n += 1) last = await givenRequest(world, '0.01');
    const { page } = olga;
    const [from, to] = [await createdAt(first), await behind(last)].map(encodeURIComponent);
    await olga.goto(`/withdrawals?from=${String(from)}&to=${String(to)}`, 'Withdrawals');
    await page.getByRole('table').waitFor();
    expect(await page.locator('tbody tr').count()).toBe(50);
    await page.getByRole('button', { name: 'Show more' }).click();
    await until('all rows', async () => ((await page.locator('tbody tr').count()) === 51 ? true : undefined));
    expect(await csvOf(olga)).toHaveLength(51);
  });
});

describe('a keyboard alone', () => {
  it('takes and rejects a request', async () => {
    const id = await givenRequest(world, '4');
    const { page } = ivan;
    await ivan.goto(`/withdrawals/${id}`, REQUEST);
    const tabTo = async (name: string) => {
      for (let presses = 0; presses < 40; presses += 1) {
        await page.keyboard.press('Tab');
        const focused = await page.evaluate(() => document.activeElement?.textContent ?? '');
        if (focused === name) return;
      }
      throw new Error(`no way to ${name} with the keyboard`);
    };
    // The focus moves a moment after the dialog appears; until then the button behind it has the keyboard.
    const focusInDialog = () => page.getByRole('dialog').locator(':focus').waitFor();
    await tabTo('Claim');
    await page.keyboard.press('Enter');
    await focusInDialog();
    await page.keyboard.press('Enter');
    await stateOf(page, 'In review').waitFor();
    await tabTo('Reject');
    await page.keyboard.press('Enter');
    await focusInDialog();
    await page.keyboard.type('not agreed with us');
    await tabTo('Reject');
    await page.keyboard.press('Enter');
    await stateOf(page, 'Rejected').waitFor();
    expect(await rowsOf(id)).toMatchObject([{ action: 'withdrawal.take' }, { action: 'withdrawal.reject' }]);
  });
});

describe('the pages', () => {
  it('broke no rule of their own content security policy, and threw nothing', () => {
    expect(faults).toEqual([]);
  });
});
