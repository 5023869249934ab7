import { Alert, Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { BookException, ReconciliationException } from '@pay/contract/operator/exceptions.ts';
import type { PaymentTimeline } from '@pay/contract/operator/payments.ts';
import type { PaymentPoint } from '@pay/contract/operator/stores.ts';
import { POINT_METHODS } from '@pay/contract/states.ts';
import { maskedDigits } from '@pay/shared/content/masked-digits.ts';
import { post, read } from '../api.ts';
import { grouped, words } from '../format.ts';
import { TextForm, type FormAct } from '../parts/form.tsx';
import { Facts, Fault } from '../parts/page.tsx';
import { Waiting } from '../parts/table.tsx';
import { t, tx } from '../text.ts';

/** What a person can do with money that only the bank knows. See decisions/reconciliation. */
export type Remedy = 'book' | 'return';

export const EXCEPTIONS = '/api/payments/exceptions';

/** What can be done about an exception; nothing for a version of the service that does not say what it is. */
export function remediesOf({ kind, status, paymentId, unknownOperation }: ReconciliationException): readonly Remedy[] {
  if (status === 'OPEN' && kind === 'RETURN_FAILED' && paymentId === null) return ['return'];
  if (unknownOperation?.kind === 'PAYMENT') return ['book', 'return'];
  return unknownOperation?.kind === 'REFUND' ? ['book'] : [];
}

/** The answer is the exception, or a proposal if it takes a second person. */
type Act = UseMutationResult<object, Error, BookException | undefined>;

/** The fields and the consequences of booking or returning; says so if a second person has to confirm. */
export function RemedyForm({
  remedy,
  exception,
  onDone,
}: {
  readonly remedy: Remedy;
  readonly exception: ReconciliationException;
  readonly onDone: () => void;
}): ReactNode {
  const client = useQueryClient();
  const act = useMutation({
    mutationFn: (body: BookException | undefined) => post<object>(`${EXCEPTIONS}/${exception.exceptionId}/${remedy}`, body),
    onSuccess: (answer) => {
      if (!('proposal' in answer)) onDone();
    },
    onSettled: () => client.invalidateQueries({ queryKey: [EXCEPTIONS] }),
  });
  if (act.data !== undefined)
    return (
      <Alert role="alert" color="blue" title={t('Proposed: nothing has been done yet')}>
        {t('Together with what you booked or returned today, it is above your limit. A second person can confirm it under Proposals.')}
      </Alert>
    );
  if (remedy === 'return') return <ReturnForm exception={exception} act={act} />;
  if (exception.unknownOperation?.kind === 'REFUND') return <BookRefund exception={exception} act={act} />;
  return <BookPayment exception={exception} act={act} />;
}

type FormProps = { readonly exception: ReconciliationException; readonly act: Act };

/** What the bank says; and what we know beside that. */
function BankFacts({
  exception: { date, routeId, bank, operationId, bankOperationId },
  more = [],
}: Pick<FormProps, 'exception'> & { readonly more?: Parameters<typeof Facts>[0]['facts'] }): ReactNode {
  return (
    <Facts
      facts={[
        [
          t('Bank'),
          <span key="bank" className="numbers">
            {bank.amount === null ? '–' : `${grouped(bank.amount)} ${bank.currency ?? ''}`}
          </span>,
        ],
        [t('Route'), routeId],
        [t('Day, UTC'), date],
        [t('Operation'), operationId],
        [t('Bank operation'), bankOperationId],
        ...more,
      ]}
    />
  );
}

const amountOf = ({ bank }: ReconciliationException): string => grouped(bank.amount ?? '');

function ReturnForm({ exception, act }: FormProps): ReactNode {
  const isAgain = exception.kind === 'RETURN_FAILED';
  return (
    <TextForm
      button={isAgain ? t('Return again') : t('Return {amount} RUB', { amount: amountOf(exception) })}
      title={t('Couldn’t return')}
      act={act}
      fields={[]}
      onSubmit={() => {
        act.mutate(undefined);
      }}
    >
      <BankFacts exception={exception} />
      <Text size="sm" role="status">
        {isAgain
          ? t(
              'The bank will be asked again to return the money to the buyer. Whatever it has refunded since then is booked. This can’t be undone.',
            )
          : tx(
              '{amount} will be returned to the buyer, less what the bank has already refunded. No partner gets the money or is notified. This can’t be undone.',
              {
                amount: <strong className="numbers">{amountOf(exception)} RUB</strong>,
              },
            )}
      </Text>
    </TextForm>
  );
}

/** A refund names its payment: whose it is shows before it is booked. */
function BookRefund({ exception, act }: FormProps): ReactNode {
  const refunds = exception.unknownOperation?.refunds ?? null;
  const payment = useQuery({
    queryKey: ['payment', refunds],
    queryFn: () => read<PaymentTimeline>(`/api/payments/payments/${encodeURIComponent(refunds ?? '')}`),
    enabled: refunds !== null,
    retry: false,
  });
  if (payment.isLoading) return <Waiting />;
  const known = payment.data;
  return (
    <TextForm
      button={t('Book refund of {amount} RUB', { amount: amountOf(exception) })}
      title={t('Couldn’t book')}
      act={act}
      fields={[
        {
          name: 'merchantRefundId',
          label: t('Partner’s refund number'),
          description: t('If the partner gave it one. A repeated request then finds this refund.'),
          optional: true,
        },
      ]}
      onSubmit={({ merchantRefundId = '' }) => {
        act.mutate(merchantRefundId === '' ? {} : { merchantRefundId });
      }}
    >
      <BankFacts
        exception={exception}
        more={[
          [t('Payment'), refunds ?? undefined],
          [t('Partner'), known?.partnerID],
          [t('Order'), known === undefined ? undefined : maskedDigits(known.merchantOrderId)],
        ]}
      />
      <Text size="sm" role="status">
        {tx('{amount} that the bank has refunded will be booked against {payment}. The partner will be notified. No money moves.', {
          amount: <strong className="numbers">{amountOf(exception)} RUB</strong>,
          payment: known === undefined ? t('its payment') : t('the payment of {partner}', { partner: known.partnerID }),
        })}
      </Text>
    </TextForm>
  );
}

type Order = NonNullable<BookException['order']>;
const NO_ORDER: Order = { paymentPointID: '', merchantOrderId: '', customerID: '', paymentMethod: 'CARD' };

/** The order as the partner gives it; then whom it credits, before anything is booked. */
function BookPayment({ exception, act }: FormProps): ReactNode {
  const [order, setOrder] = useState(NO_ORDER);
  const look = useMutation({
    mutationFn: (id: string) => read<PaymentPoint>(`/api/payments/payment-points/${encodeURIComponent(id)}`),
  });
  if (look.data === undefined)
    return (
      <OrderFields
        exception={exception}
        act={look}
        order={order}
        onOrder={(typed) => {
          setOrder(typed);
          look.mutate(typed.paymentPointID);
        }}
      />
    );
  return (
    <BookedOrder
      exception={exception}
      act={act}
      order={order}
      point={look.data}
      onBack={() => {
        act.reset();
        look.reset();
      }}
    />
  );
}

function OrderFields({
  exception,
  act,
  order: { paymentPointID, merchantOrderId, customerID, paymentMethod, paymentId = '' },
  onOrder,
}: Pick<FormProps, 'exception'> & {
  readonly act: FormAct;
  readonly order: Order;
  readonly onOrder: (order: Order) => void;
}): ReactNode {
  const [method, setMethod] = useState(paymentMethod);
  return (
    <TextForm
      button={t('Next')}
      title={t('Couldn’t load the payment point')}
      act={act}
      fields={[
        { name: 'paymentPointID', label: t('Payment point'), initial: paymentPointID },
        { name: 'merchantOrderId', label: t('Order'), initial: merchantOrderId },
        { name: 'customerID', label: t('Buyer'), description: t('as the partner calls them'), initial: customerID },
        {
          name: 'paymentId',
          label: t('Payment that the partner has'),
          description: t('Only if it differs from this operation’s ID: then a second or later card paid.'),
          optional: true,
          initial: paymentId,
        },
      ]}
      onSubmit={({ paymentId: other = '', ...typed }) => {
        const order = { ...NO_ORDER, ...typed, paymentMethod: method };
        onOrder(other === '' ? order : { ...order, paymentId: other });
      }}
    >
      <BankFacts exception={exception} />
      <Text size="sm">{t('Enter the order as the partner knows it, from payment.completed or the response 201.')}</Text>
      <NativeSelect
        label={t('Method')}
        value={method}
        data={POINT_METHODS.map((value) => ({ value, label: words(value) }))}
        onChange={({ currentTarget: { value } }) => {
          setMethod(POINT_METHODS.find((one) => one === value) ?? 'CARD');
        }}
      />
    </TextForm>
  );
}

function BookedOrder({
  exception,
  act,
  order,
  point: { partnerId, storeId, paymentPointId, feeBasisPoints },
  onBack,
}: FormProps & {
  readonly order: Order;
  readonly point: PaymentPoint;
  readonly onBack: () => void;
}): ReactNode {
  return (
    <Stack gap="sm">
      <BankFacts
        exception={exception}
        more={[
          [t('Partner'), partnerId],
          [t('Store'), storeId],
          [t('Payment point'), paymentPointId],
          [t('Order'), maskedDigits(order.merchantOrderId)],
          [t('Buyer'), maskedDigits(order.customerID)],
          [t('Method'), words(order.paymentMethod)],
          [t('Payment'), order.paymentId],
        ]}
      />
      <Text size="sm" role="status">
        {tx('{amount}, less a fee of {fee}, will be credited to {partner}. The partner will be notified. This can’t be undone.', {
          amount: <strong className="numbers">{amountOf(exception)} RUB</strong>,
          fee: `${String(feeBasisPoints / 100)} %`,
          partner: <strong>{partnerId}</strong>,
        })}
      </Text>
      <Fault error={act.error} title={t('Couldn’t book')} />
      <Group justify="end">
        <Button variant="default" onClick={onBack}>
          {t('Back')}
        </Button>
        <Button
          data-autofocus
          loading={act.isPending}
          onClick={() => {
            act.mutate({ order });
          }}
        >
          {t('Book {amount} RUB for {partner}', { amount: amountOf(exception), partner: partnerId })}
        </Button>
      </Group>
    </Stack>
  );
}
