import { Grid, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { BindingWithConsent, Consent } from '@pay/contract/operator/consents.ts';
import { maskedDigits } from '@pay/shared/content/masked-digits.ts';
import { read } from '../api.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { Empty } from '../parts/empty.tsx';
import { Facts, Fault, Moment, Page } from '../parts/page.tsx';
import { State } from '../parts/state.tsx';
import { Waiting } from '../parts/table.tsx';
import { useAct } from '../parts/use-act.ts';
import { useMay } from '../session.ts';
import { periodText } from './saved-card-texts.ts';
import { t } from '../text.ts';

const pathOf = (id: string) => `/api/bindings/bindings/${encodeURIComponent(id)}`;

/** One saved card with the consent it is based on; support revokes it for a buyer who asks for it. */
export function SavedCardPage({ id }: { readonly id: string }): ReactNode {
  const key = ['saved-card', id];
  const card = useQuery({ queryKey: key, queryFn: () => read<BindingWithConsent>(pathOf(id)) });
  const revoke = useAct([key]);
  return (
    <Page title={t('Saved card')} aside={<Link href="/saved-cards">{t('All saved cards')}</Link>}>
      {card.isPending ? <Waiting /> : null}
      <Fault error={card.error} title={t('Couldn’t load the saved card')} />
      <Fault error={revoke.error} title={t('Couldn’t revoke the saved card')} />
      {card.data === undefined ? null : (
        <Grid gap="lg">
          <Grid.Col span={{ base: 12, md: 6 }}>
            <Paper withBorder p="md">
              <CardFacts card={card.data} />
              <Revoke
                card={card.data}
                onRevoke={() => {
                  revoke.mutate({ path: `${pathOf(id)}/revoke`, body: {} });
                }}
              />
            </Paper>
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 6 }}>
            <Paper withBorder p="md" component="section" aria-label={t('Consent')}>
              <Title order={2} size="h4" mb="sm">
                {t('Consent')}
              </Title>
              {card.data.consent === null ? (
                <Empty>{t('The consent has not arrived yet.')}</Empty>
              ) : (
                <Evidence consent={card.data.consent} />
              )}
            </Paper>
          </Grid.Col>
        </Grid>
      )}
    </Page>
  );
}

function CardFacts({ card }: { readonly card: BindingWithConsent }): ReactNode {
  const { partnerID, status, cardMask, cardExpiry, customerId, revokedAt, openPaymentId } = card;
  return (
    <Facts
      facts={[
        [t('State'), <State key="state" value={status} />],
        [t('Card'), cardMask ?? undefined],
        [t('Valid until'), cardExpiry],
        [
          t('Partner'),
          <Link key="partner" href={`/partners/${encodeURIComponent(partnerID)}`}>
            {partnerID}
          </Link>,
        ],
        [t('Buyer'), maskedDigits(customerId)],
        [t('Charged at most'), periodText(card.period)],
        [t('Last charged'), <Moment key="last" at={card.lastChargedAt} />],
        [t('Next charge not before'), status === 'ACTIVE' ? <Moment key="next" at={card.nextChargeAt} /> : undefined],
        [
          t('Charge in progress'),
          openPaymentId === null ? undefined : (
            <Link key="open" href={`/payments/${openPaymentId}`} className="mono">
              {openPaymentId}
            </Link>
          ),
        ],
        [t('Saved'), <Moment key="saved" at={card.createdAt} />],
        [t('Revoked'), revokedAt === undefined ? undefined : <Moment key="revoked" at={revokedAt} />],
        [
          'ID',
          <span key="id" className="mono">
            {card.bindingId}
          </span>,
        ],
      ]}
    />
  );
}

function Revoke({ card, onRevoke }: { readonly card: BindingWithConsent; readonly onRevoke: () => void }): ReactNode {
  const may = useMay();
  if (card.status !== 'ACTIVE' || !may('bindings.revoke')) return null;
  return (
    <Group mt="md">
      <ConfirmButton
        label={t('Revoke saved card')}
        explains={t(
          '{partner} can no longer charge {card}, from now on. The partner is notified; what was charged stays. This can’t be undone: the buyer saves the card again with a new payment.',
          { partner: card.partnerID, card: card.cardMask ?? t('this card') },
        )}
        onConfirm={onRevoke}
      />
    </Group>
  );
}

/** What the buyer agreed to, with all that proves it. */
function Evidence({ consent }: { readonly consent: Consent }): ReactNode {
  const { capture, storeName, reference, address, userAgent, text } = consent;
  return (
    <Stack gap="sm">
      <Facts
        facts={[
          [t('Given'), <Moment key="given" at={consent.acceptedAt} />],
          [t('Collected on'), capture === 'SERVICE' ? t('our checkout page') : t('the partner’s own page')],
          [t('Store'), storeName ?? undefined],
          [
            t('First payment'),
            <Link key="first" href={`/payments/${consent.paymentId}`} className="mono">
              {consent.paymentId}
            </Link>,
          ],
          [t('Version of the text'), consent.version],
          [t('Partner’s reference'), reference ?? undefined],
          [t('IP address'), address ?? undefined],
          [t('Browser'), userAgent ?? undefined],
          [
            t('SHA-256 of the text'),
            <span key="sha" className="mono">
              {consent.sha256}
            </span>,
          ],
          [
            'ID',
            <span key="id" className="mono">
              {consent.consentId}
            </span>,
          ],
        ]}
      />
      {text === null ? null : (
        <>
          <Text size="sm" fw={600}>
            {t('What the buyer read')}
          </Text>
          <Text size="sm" className="as-written">
            {text}
          </Text>
        </>
      )}
    </Stack>
  );
}
