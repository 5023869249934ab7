import { Alert, Button, Grid, Group, Paper, Stack, Text, Textarea, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
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
import { TransferFields } from './transfer-fields.tsx';
import { TEXTS } from './withdrawal-acts.ts';

const pathOf = (id: string) => `/api/withdrawals/withdrawals/${encodeURIComponent(id)}`;

/** One request: its details, the possible actions, and the history beside it. */
export function WithdrawalPage({ id }: { readonly id: string }): ReactNode {
  const withdrawal = useQuery({
    queryKey: ['withdrawal', id],
    queryFn: () => read<WithdrawalWithHistory>(pathOf(id)),
  });
  return (
    <Page title="Withdrawal request" aside={<Link href="/withdrawals">All requests</Link>}>
      {withdrawal.isPending ? <Waiting /> : null}
      {withdrawal.isError ? <Fault error={withdrawal.error} title="Couldn’t load the request" /> : null}
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
            <Paper withBorder p="md" component="section" aria-label="History">
              <Title order={2} size="h4" mb="sm">
                History
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
  const recipient = useRecipient(withdrawal);
  return (
    <Facts
      facts={[
        ['State', <State key="state" value={withdrawal.status} />],
        [
          'Amount',
          <Text key="amount" span fw={700} size="lg" className="numbers">
            {grouped(withdrawal.amountUsdt)} USDT
          </Text>,
        ],
        ['Recipient', recipient],
        [
          'Partner',
          <Link key="partner" href={`/partners/${encodeURIComponent(partnerID)}`}>
            {partnerID}
          </Link>,
        ],
        ['Store', withdrawal.storeId],
        [
          'Claimed by',
          takenBy === null
            ? undefined
            : `${takenBy}, ${isHeld(withdrawal, now) ? `until ${utc(takenUntil ?? '')}` : 'expired, anyone can claim it'}`,
        ],
        ['Reviewed by', withdrawal.reviewedBy ?? undefined],
        ['Transferred by', withdrawal.completedBy ?? undefined],
        ['Cancelled by', withdrawal.cancelledBy === null ? undefined : CANCELLED_BY[withdrawal.cancelledBy]],
        [
          'Transfer',
          transferReference === undefined ? undefined : (
            <span key="transfer" className="mono">
              {transferReference}
            </span>
          ),
        ],
        ['Reason', statusReason],
        [
          'Requested',
          <span key="asked">
            <Moment at={withdrawal.createdAt} /> ({age(withdrawal.createdAt, now)} ago)
          </span>,
        ],
        ['Changed', <Moment key="changed" at={withdrawal.updatedAt} />],
        ['Revision', String(withdrawal.revision)],
        [
          'Request',
          <span key="id" className="mono">
            {withdrawal.withdrawalRequestId}
          </span>,
        ],
      ]}
    />
  );
}

/** The recipient as we call it, with the reference that the partner sent. */
function useRecipient({ partnerID, beneficiaryRef }: Withdrawal): string {
  const beneficiaries = useQuery({
    queryKey: ['beneficiaries', partnerID],
    queryFn: () => read<List<Beneficiary>>(`/api/withdrawals/partners/${encodeURIComponent(partnerID)}/beneficiaries`),
  });
  const label = beneficiaries.data?.items.find((one) => one.beneficiaryRef === beneficiaryRef)?.label;
  return label === undefined ? beneficiaryRef : `${label} (${beneficiaryRef})`;
}

/** Whether the claim of whoever took it is still valid. */
const isHeld = ({ takenUntil }: Withdrawal, now: number): boolean =>
  takenUntil !== null && Date.parse(takenUntil) > now;

/** The history says which operator it was. */
const CANCELLED_BY = { PARTNER: 'the partner', OPERATOR: 'an operator' } as const;

function Actions({ withdrawal }: { readonly withdrawal: Withdrawal }): ReactNode {
  const [open, setOpen] = useState<WithdrawalAction>();
  const [newer, setNewer] = useState<Withdrawal>();
  const may = useMay();
  const now = useNow();
  const { login } = useSession();
  const holder = isHeld(withdrawal, now) && withdrawal.takenBy !== login ? withdrawal.takenBy : null;
  const acts = WITHDRAWAL_ACTIONS.filter((act) => targetOf(withdrawal.status, act) !== undefined).filter((act) =>
    may(`withdrawals.${act}` satisfies Action),
  );
  return (
    <section aria-label="Actions">
      {newer === undefined ? null : (
        <Alert role="alert" color="yellow" title="Not saved: somebody else changed this in the meantime" mb="md">
          It’s now {words(newer.status).toLowerCase()}
          {newer.takenBy === null ? '' : `, claimed by ${newer.takenBy}`}. The page shows the latest state.
        </Alert>
      )}
      {holder === null || acts.length === 0 ? null : (
        <Alert
          color="blue"
          variant="light"
          title={`${holder} is reviewing this until ${utc(withdrawal.takenUntil ?? '')}`}
          mb="md"
        >
          Nobody else can decide on it before that.
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
        {acts.length === 0 ? <Text size="sm">No actions available to you.</Text> : null}
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
  if (act === 'complete' && withdrawal.reviewedBy === login)
    return <Text size="sm">You approved this request. A colleague makes the transfer and confirms it.</Text>;
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
  const recipient = useRecipient(withdrawal);
  const run = useMutation({
    mutationFn: (more: Readonly<Record<string, string>>) =>
      post<Withdrawal>(`${pathOf(id)}/${act}`, { revision, ...more }),
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
        run.mutate(
          Object.fromEntries(
            [...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value.trim()]] : [])),
          ),
        );
      }}
    >
      <Stack>
        <Facts
          facts={[
            [
              'Amount',
              <Text key="amount" span fw={700} className="numbers">
                {grouped(amountUsdt)} USDT
              </Text>,
            ],
            ['Recipient', recipient],
            ['Partner', partnerID],
            ['Store', storeId],
          ]}
        />
        <Text size="sm">{TEXTS[act].explains}</Text>
        <ActFields act={act} />
        <Fault error={run.error} />
        <Group justify="end">
          <Button
            type="submit"
            loading={run.isPending}
            data-autofocus={act === 'take' || act === 'approve' ? true : undefined}
          >
            {TEXTS[act].button}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function ActFields({ act }: { readonly act: WithdrawalAction }): ReactNode {
  switch (act) {
    case 'take':
    case 'approve':
      return null;
    case 'complete':
      return <TransferFields />;
    default:
      return (
        <Textarea
          label="Reason"
          description="Visible to the partner."
          name="reason"
          required
          maxLength={140}
          autosize
          minRows={2}
          data-autofocus
        />
      );
  }
}

function isWithdrawal(value: unknown): value is Withdrawal {
  return typeof value === 'object' && value !== null && 'withdrawalRequestId' in value && 'revision' in value;
}
