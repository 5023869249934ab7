import { Alert, Button, Grid, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Link, useSearchParams } from 'wouter';
import { targetOf, WITHDRAWAL_ACTIONS, type WithdrawalAction } from '@pay/contract/operator/states.ts';
import type { Beneficiary } from '@pay/contract/operator/usdt-stores.ts';
import type { Withdrawal, WithdrawalWithHistory } from '@pay/contract/operator/withdrawals.ts';
import type { Action } from '@pay/shared/operators/roles.ts';
import { ApiFault, post, read } from '../api.ts';
import { age, grouped, utc, words } from '../format.ts';
import { Dialog } from '../parts/dialog.tsx';
import { History } from '../parts/history.tsx';
import { Facts, Fault, Moment, Page } from '../parts/page.tsx';
import { State } from '../parts/state.tsx';
import { Waiting } from '../parts/table.tsx';
import { useNow } from '../parts/use-now.ts';
import { useMay, useSession } from '../session.ts';
import type { List } from '../types.ts';
import { ActFields } from './withdrawal-act-fields.tsx';
import { isHeld, isOwnApproval, TEXTS } from './withdrawal-acts.ts';
import { t, tx } from '../text.ts';

const pathOf = (id: string) => `/api/withdrawals/withdrawals/${encodeURIComponent(id)}`;

/** One request: its details, the possible actions, and the history beside it. */
export function WithdrawalPage({ id }: { readonly id: string }): ReactNode {
  const withdrawal = useQuery({
    queryKey: ['withdrawal', id],
    queryFn: () => read<WithdrawalWithHistory>(pathOf(id)),
  });
  return (
    <Page title={t('Withdrawal request')} aside={<Link href="/withdrawals">{t('All requests')}</Link>}>
      {withdrawal.isPending ? <Waiting /> : null}
      {withdrawal.isError ? <Fault error={withdrawal.error} title={t('Couldn’t load the request')} /> : null}
      {withdrawal.data === undefined ? null : (
        <Grid gap="lg">
          <Grid.Col span={{ base: 12, md: 7 }}>
            <Stack>
              <Paper withBorder p="md">
                <WithdrawalFacts withdrawal={withdrawal.data} />
              </Paper>
              <Actions withdrawal={withdrawal.data} />
            </Stack>
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 5 }}>
            <Paper withBorder p="md" component="section" aria-label={t('History')}>
              <Title order={2} size="h4" mb="sm">
                {t('History')}
              </Title>
              <History entries={withdrawal.data.history} />
            </Paper>
          </Grid.Col>
        </Grid>
      )}
    </Page>
  );
}

function WithdrawalFacts({ withdrawal }: { readonly withdrawal: Withdrawal }): ReactNode {
  const now = useNow();
  const { partnerID, takenBy, takenUntil, statusReason, transferReference } = withdrawal;
  const recipient = useRecipient(withdrawal).name;
  return (
    <Facts
      facts={[
        [t('State'), <State key="state" value={withdrawal.status} />],
        [
          t('Amount'),
          <Text key="amount" span fw={700} size="lg" className="numbers">
            {grouped(withdrawal.amountUsdt)} USDT
          </Text>,
        ],
        [t('Recipient'), recipient],
        [
          t('Partner'),
          <Link key="partner" href={`/partners/${encodeURIComponent(partnerID)}`}>
            {partnerID}
          </Link>,
        ],
        [t('Store'), withdrawal.storeId],
        [
          t('Claimed by'),
          takenBy === null
            ? undefined
            : `${takenBy}, ${isHeld(withdrawal, now) ? t('until {moment}', { moment: utc(takenUntil ?? '') }) : t('expired, anyone can claim it')}`,
        ],
        [t('Reviewed by'), withdrawal.reviewedBy ?? undefined],
        [t('Transferred by'), withdrawal.completedBy ?? undefined],
        [t('Cancelled by'), withdrawal.cancelledBy === null ? undefined : CANCELLED_BY[withdrawal.cancelledBy]],
        [
          t('Transfer'),
          transferReference === undefined ? undefined : (
            <span key="transfer" className="mono">
              {transferReference}
            </span>
          ),
        ],
        [t('Reason'), statusReason],
        [
          t('Requested'),
          <span key="asked">
            {tx('{moment} ({age} ago)', {
              moment: <Moment at={withdrawal.createdAt} />,
              age: age(withdrawal.createdAt, now),
            })}
          </span>,
        ],
        [t('Changed'), <Moment key="changed" at={withdrawal.updatedAt} />],
        [t('Revision'), String(withdrawal.revision)],
        [
          t('Request'),
          <span key="id" className="mono">
            {withdrawal.withdrawalRequestId}
          </span>,
        ],
      ]}
    />
  );
}

/** `name`: the recipient as we call it, with the reference that the partner sent. `revokedAt`: null if it is not revoked. */
function useRecipient({ partnerID, beneficiaryRef }: Withdrawal): {
  readonly name: string;
  readonly revokedAt: string | null;
} {
  const beneficiaries = useQuery({
    queryKey: ['beneficiaries', partnerID],
    queryFn: () => read<List<Beneficiary>>(`/api/withdrawals/partners/${encodeURIComponent(partnerID)}/beneficiaries`),
  });
  const found = beneficiaries.data?.items.find((one) => one.beneficiaryRef === beneficiaryRef);
  const name = found === undefined ? beneficiaryRef : `${found.label} (${beneficiaryRef})`;
  return { name, revokedAt: found?.revokedAt ?? null };
}

/** The history says which operator it was. */
const CANCELLED_BY = { PARTNER: t('the partner'), OPERATOR: t('an operator') } as const;

function Actions({ withdrawal }: { readonly withdrawal: Withdrawal }): ReactNode {
  const [newer, setNewer] = useState<Withdrawal>();
  const may = useMay();
  const now = useNow();
  const { login } = useSession();
  const holder = isHeld(withdrawal, now) && withdrawal.takenBy !== login ? withdrawal.takenBy : null;
  const acts = WITHDRAWAL_ACTIONS.filter((act) => targetOf(withdrawal.status, act) !== undefined).filter((act) =>
    may(`withdrawals.${act}` satisfies Action),
  );
  // The list links to the next step, whose dialog is then open.
  const [params] = useSearchParams();
  const [open, setOpen] = useState(acts.find((act) => act === params.get('act') && !isOwnApproval(act, withdrawal, login)));
  return (
    <section aria-label={t('Actions')}>
      {newer === undefined ? null : (
        <Alert role="alert" color="yellow" title={t('Not saved: somebody else changed it in the meantime')} mb="md">
          {t('It’s now {state}{claim}. The page shows the latest state.', {
            state: words(newer.status).toLowerCase(),
            claim: newer.takenBy === null ? '' : t(', claimed by {operator}', { operator: newer.takenBy }),
          })}
        </Alert>
      )}
      {acts.length === 0 ? null : <RevokedRecipient withdrawal={withdrawal} />}
      {holder === null || acts.length === 0 ? null : (
        <Alert
          color="blue"
          variant="light"
          title={t('{operator} is reviewing this until {moment}', {
            operator: holder,
            moment: utc(withdrawal.takenUntil ?? ''),
          })}
          mb="md"
        >
          {t('Until then nobody else can decide on it.')}
        </Alert>
      )}
      <Group>
        {acts.map((act) => (
          <ActButton
            key={act}
            act={act}
            withdrawal={withdrawal}
            onClick={() => {
              setNewer(undefined);
              setOpen(act);
            }}
          />
        ))}
        {acts.length === 0 ? <Text size="sm">{t('No actions available to you.')}</Text> : null}
      </Group>
      <Dialog
        title={open === undefined ? '' : TEXTS[open].title}
        opened={open !== undefined}
        onClose={() => {
          setOpen(undefined);
        }}
      >
        {open === undefined ? null : (
          <ActForm
            act={open}
            withdrawal={withdrawal}
            onEnd={(current) => {
              setOpen(undefined);
              setNewer(current);
            }}
          />
        )}
      </Dialog>
    </section>
  );
}

function RevokedRecipient({ withdrawal }: { readonly withdrawal: Withdrawal }): ReactNode {
  const { revokedAt } = useRecipient(withdrawal);
  if (revokedAt === null) return null;
  return (
    <Alert color="red" title={t('The recipient was revoked on {moment}', { moment: utc(revokedAt) })} mb="md">
      {t('Don’t transfer anything. Reject the request, or mark it as failed if nothing was transferred.')}
    </Alert>
  );
}

/** Two people: whoever approved sees why the next button is disabled for them. */
function ActButton({
  act,
  withdrawal,
  onClick,
}: {
  readonly act: WithdrawalAction;
  readonly withdrawal: Withdrawal;
  readonly onClick: () => void;
}): ReactNode {
  const { login } = useSession();
  if (isOwnApproval(act, withdrawal, login))
    return <Text size="sm">{t('You approved this request. A colleague makes the transfer and confirms it.')}</Text>;
  const isSafe = act === 'take' || act === 'approve' || act === 'complete';
  return (
    <Button variant={isSafe ? 'filled' : 'outline'} color={isSafe ? 'indigo' : 'red'} onClick={onClick}>
      {TEXTS[act].button}
    </Button>
  );
}

function ActForm({
  act,
  withdrawal,
  onEnd,
}: {
  readonly act: WithdrawalAction;
  readonly withdrawal: Withdrawal;
  readonly onEnd: (newer: Withdrawal | undefined) => void;
}): ReactNode {
  const client = useQueryClient();
  const { withdrawalRequestId: id, revision, amountUsdt, partnerID, storeId } = withdrawal;
  const recipient = useRecipient(withdrawal).name;
  const run = useMutation({
    mutationFn: (more: Readonly<Record<string, string>>) => post<Withdrawal>(`${pathOf(id)}/${act}`, { revision, ...more }),
    onSuccess: () => {
      onEnd(undefined);
    },
    onError: (error) => {
      const current = error instanceof ApiFault && error.code === 'STALE_REVISION' ? error.body['current'] : undefined;
      if (isWithdrawal(current)) onEnd(current);
    },
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['withdrawal', id] }),
        client.invalidateQueries({ queryKey: ['/api/withdrawals/withdrawals'] }),
      ]),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const form = new FormData(event.currentTarget);
        run.mutate(Object.fromEntries([...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value.trim()]] : []))));
      }}
    >
      <Stack>
        <Facts
          facts={[
            [
              t('Amount'),
              <Text key="amount" span fw={700} className="numbers">
                {grouped(amountUsdt)} USDT
              </Text>,
            ],
            [t('Recipient'), recipient],
            [t('Partner'), partnerID],
            [t('Store'), storeId],
          ]}
        />
        <Text size="sm">{TEXTS[act].explains}</Text>
        <ActFields act={act} />
        <Fault error={run.error} />
        <Group justify="end">
          <Button type="submit" loading={run.isPending} data-autofocus={act === 'take' || act === 'approve' ? true : undefined}>
            {TEXTS[act].button}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function isWithdrawal(value: unknown): value is Withdrawal {
  return typeof value === 'object' && value !== null && 'withdrawalRequestId' in value && 'revision' in value;
}
