import { Checkbox, Group, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AcquiringRoute } from '@pay/contract/operator/acquiring-routes.ts';
import type { PaymentPoint } from '@pay/contract/operator/stores.ts';
import { POINT_METHODS, POINT_STATUSES } from '@pay/contract/states.ts';
import { read } from '../api.ts';
import { words } from '../format.ts';
import { TextForm, type Field, type FormAct } from '../parts/form.tsx';
import { Fault } from '../parts/page.tsx';
import { Waiting } from '../parts/table.tsx';
import type { List } from '../types.ts';
import { t } from '../text.ts';

const ROUTES = '/api/payments/routes';

/** The initial settings of a new point. */
const NEW: Omit<PaymentPoint, 'paymentPointId' | 'storeId' | 'partnerId' | 'emailConfirmation' | 'revision' | 'createdAt'> = {
  name: '',
  status: 'ACTIVE',
  paymentMethods: ['CARD'],
  routeId: '',
  minAmount: '0.01',
  maxAmount: '1000000.00',
  feeBasisPoints: 0,
  sessionMinutes: 60,
  whenNotAuthenticated: 'ACCEPT',
  cardAttempts: 1,
  sbpOnCardPage: false,
};

/** The settings of a payment point: of a new one, or of `point`. */
export function PointFields({
  point,
  button,
  act,
  onSubmit,
}: {
  readonly point?: PaymentPoint;
  readonly button: string;
  readonly act: FormAct;
  readonly onSubmit: (values: Readonly<Record<string, string>>) => void;
}): ReactNode {
  const routes = useQuery({ queryKey: [ROUTES], queryFn: () => read<List<AcquiringRoute>>(ROUTES) });
  // Rendered only once everything is known: a field filled later would overwrite what was typed meanwhile.
  if (routes.data === undefined)
    return routes.isPending ? <Waiting /> : <Fault error={routes.error} title={t('Couldn’t load the routes')} />;
  const shown = point ?? NEW;
  const names = routes.data.items.map(({ routeId }) => routeId);
  return (
    <TextForm button={button} act={act} fields={fieldsOf(point)} onSubmit={onSubmit}>
      {point === undefined ? null : (
        <NativeSelect
          label={t('State')}
          name="status"
          defaultValue={point.status}
          data={POINT_STATUSES.map((value) => ({ value, label: words(value) }))}
          description={t('Suspended: new payments are refused (503). Closed: treated as nonexistent.')}
        />
      )}
      <NotAuthenticated rule={shown.whenNotAuthenticated} />
      <Group role="group" aria-label={t('Methods')}>
        {POINT_METHODS.map((method) => (
          <Checkbox key={method} name={method} value="on" label={words(method)} defaultChecked={shown.paymentMethods.includes(method)} />
        ))}
      </Group>
      <Checkbox
        name="sbpOnCardPage"
        value="on"
        label={t('Buyers may pay a card payment by SBP instead')}
        defaultChecked={shown.sbpOnCardPage}
      />
      <NativeSelect label={t('Route')} name="routeId" data={names} {...(shown.routeId === '' ? {} : { defaultValue: shown.routeId })} />
    </TextForm>
  );
}

function fieldsOf(point: PaymentPoint | undefined): readonly Field[] {
  const shown = point ?? NEW;
  return [
    ...(point === undefined
      ? [
          {
            name: 'paymentPointID',
            label: t('Point ID'),
            description: t('Sent by partners with each payment. It can’t be changed later.'),
          },
        ]
      : []),
    { name: 'name', label: t('Name'), initial: shown.name },
    { name: 'minAmount', label: t('Lowest amount, RUB'), initial: shown.minAmount, isAmount: true },
    { name: 'maxAmount', label: t('Highest amount, RUB'), initial: shown.maxAmount, isAmount: true },
    {
      name: 'feeBasisPoints',
      label: t('Fee, %'),
      description: t('For example 2.5. A second person confirms it.'),
      initial: String(shown.feeBasisPoints / 100),
    },
    {
      name: 'sessionMinutes',
      label: t('Payment window, minutes'),
      description: t('5 to 1440.'),
      initial: String(shown.sessionMinutes),
    },
    {
      name: 'cardAttempts',
      label: t('Cards per payment'),
      description: t('1 to 5. With more than 1, a buyer whose card was declined can try another.'),
      initial: String(shown.cardAttempts),
    },
  ];
}

function NotAuthenticated({ rule }: { readonly rule: PaymentPoint['whenNotAuthenticated'] }): ReactNode {
  return (
    <NativeSelect
      label={t('Buyers who are not authenticated')}
      name="whenNotAuthenticated"
      defaultValue={rule}
      data={[
        { value: 'DECLINE', label: t('are declined') },
        { value: 'ACCEPT', label: t('may pay, if the bank allows it') },
      ]}
      description={t(
        '3-D Secure. Declined: no money is taken. May pay: the shop bears fraud losses, and a second person must confirm the change.',
      )}
    />
  );
}

/** `2.5` percent as 250; what is no percentage with at most two decimals becomes NaN, which the server refuses. */
function basisPoints(typed: string): number {
  const [, whole, decimals = ''] = /^(\d{1,3})(?:[.,](\d{1,2}))?$/.exec(typed) ?? [];
  return whole === undefined ? Number.NaN : Number(`${whole}${decimals.padEnd(2, '0')}`);
}

/** The body of a new or changed point; the server validates it. */
export function pointBody(values: Readonly<Record<string, string>>): Readonly<Record<string, unknown>> {
  const { name, status = 'ACTIVE', routeId, minAmount, maxAmount, feeBasisPoints, sessionMinutes, cardAttempts } = values;
  const { whenNotAuthenticated } = values;
  return {
    name,
    status,
    routeId,
    minAmount,
    maxAmount,
    paymentMethods: POINT_METHODS.filter((method) => values[method] === 'on'),
    feeBasisPoints: basisPoints(feeBasisPoints ?? ''),
    sessionMinutes: Number(sessionMinutes),
    cardAttempts: Number(cardAttempts),
    whenNotAuthenticated,
    sbpOnCardPage: values['sbpOnCardPage'] === 'on',
  };
}
