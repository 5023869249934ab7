import { expect, it } from '@jest/globals';
import type {
  CardPayment as WireCardPayment,
  CardPaymentQuery,
  CreateCardPayment,
  CreatedCardPayment as WireCreated,
} from '@pay/contract/api/card-payments.ts';
import type {
  Binding as WireBinding,
  CreateRecurringPayment,
  RecurringPayment as WireRecurringPayment,
} from '@pay/contract/api/bindings.ts';
import type {
  CallbackSecret as WireSecret,
  Endpoints as WireEndpoints,
  PaymentPoint as WirePoint,
  SaveEndpoints,
} from '@pay/contract/api/integration.ts';
import type {
  BindingCreatedEvent as WireBindingCreated,
  BindingExpiredEvent as WireBindingExpired,
  BindingRevokedEvent as WireBindingRevoked,
  PaymentCompletedEvent as WireCompleted,
  PaymentFailedEvent as WireFailed,
  PaymentRefundedEvent as WireRefunded,
  RefundCompletedEvent as WireRefundCompleted,
  RefundFailedEvent as WireRefundFailed,
  RefundPendingEvent as WireRefundPending,
  WithdrawalFailedEvent as WireWithdrawalFailed,
} from '@pay/contract/events.ts';
import type {
  CreatedQrPayment as WireCreatedQr,
  CreateQrPayment,
  QrPayment as WireQr,
} from '@pay/contract/api/qr-payments.ts';
import type {
  CallbackEvent as WireEvent,
  CallbackEventQuery,
  CallbackEventStory as WireStory,
} from '@pay/contract/api/event-log.ts';
import type {
  Register as WireRegister,
  RegisterListQuery,
  RegisterPart as WirePart,
  UsdtRegister as WireUsdtRegister,
  UsdtRegisterPart as WireUsdtPart,
} from '@pay/contract/api/registers.ts';
import type { Receipt as WireReceipt } from '@pay/contract/api/receipt.ts';
import type { ExtraEvent as WireExtraEvent } from '@pay/contract/extra-events.ts';
import type { CreateRefund, Refund as WireRefund } from '@pay/contract/api/refunds.ts';
import type {
  CreateWithdrawalRequest,
  WithdrawalBalance as WireBalance,
  WithdrawalRequest as WireWithdrawal,
  WithdrawalRequestFilter,
} from '@pay/contract/api/withdrawals.ts';
import type { z } from 'zod';
import type {
  BindingCreatedEvent,
  BindingExpiredEvent,
  BindingRevokedEvent,
  PaymentCompletedEvent,
  PaymentFailedEvent,
  PaymentRefundedEvent,
  RefundCompletedEvent,
  RefundFailedEvent,
  RefundPendingEvent,
  WithdrawalEvent,
} from './events.ts';
import type { Register, RegisterLine, RegisterListOptions, UsdtRegister, UsdtRegisterLine } from './register-types.ts';
import type {
  Binding,
  CallbackAttempt,
  CallbackEvent,
  CardListOptions,
  CardPayment,
  CreatedCardPayment,
  CreatedQrPayment,
  EventFilter,
  NewCardPayment,
  NewQrPayment,
  NewRecurringPayment,
  NewRefund,
  QrPayment,
  Receipt,
  ReceiptItem,
  RecurringPayment,
  Refund,
} from './types.ts';
import type { CallbackSecret, Endpoints, ExtraEvent, NewEndpoints, PaymentPoint } from './integration-types.ts';
import type {
  NewWithdrawalRequest,
  WithdrawalBalance,
  WithdrawalFilter,
  WithdrawalRequest,
} from './withdrawal-types.ts';

type Assignable<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
/** Both ways assignable, with the same names: neither side has a field, an optional one among them, or a value that the other lacks. */
type Same<A, B> = Assignable<keyof A, keyof B> extends true ? Assignable<A, B> : false;
/** As this client hands it over: the amount is text, optional members are absent or there. */
type Handed<T> = { [K in keyof T]: K extends 'amount' ? string : Exclude<T[K], undefined> };
type Wire<T extends z.ZodType> = z.input<T>;

/** What the compiler checks here: the client's types are the contract's. */
const agreed: [
  Same<Handed<CardPayment>, Handed<Wire<typeof WireCardPayment>>>,
  Same<Handed<CreatedCardPayment>, Handed<Wire<typeof WireCreated>>>,
  Same<keyof NewCardPayment, keyof Wire<typeof CreateCardPayment>>,
  Same<Omit<Endpoints, 'extraEvents'>, Omit<Wire<typeof WireEndpoints>, 'extraEvents'>>,
  Same<keyof Endpoints, keyof Wire<typeof WireEndpoints>>,
  Same<NewWithdrawalRequest, Wire<typeof CreateWithdrawalRequest>>,
  Same<Handed<WithdrawalRequest>, Handed<Wire<typeof WireWithdrawal>>>,
  Same<WithdrawalFilter, Handed<Wire<typeof WithdrawalRequestFilter>>>,
  Same<WithdrawalBalance, Wire<typeof WireBalance>>,
  Same<keyof NewEndpoints, keyof Wire<typeof SaveEndpoints>>,
  Same<ExtraEvent, WireExtraEvent>,
  Same<CardListOptions, Handed<Wire<typeof CardPaymentQuery>>>,
  Same<Handed<BindingExpiredEvent['data']>, Handed<Wire<typeof WireBindingExpired>['data']>>,
  Same<Omit<WithdrawalEvent['data'], 'status'>, Omit<Handed<Wire<typeof WireWithdrawalFailed>['data']>, 'status'>>,
  Same<CallbackSecret, Wire<typeof WireSecret>>,
  Same<Omit<PaymentPoint, 'paymentMethods'>, Omit<Wire<typeof WirePoint>, 'paymentMethods'>>,
  Same<PaymentPoint['paymentMethods'][number], Wire<typeof WirePoint>['paymentMethods'][number]>,
  Same<PaymentCompletedEvent, Wire<typeof WireCompleted>>,
  Same<Handed<PaymentFailedEvent['data']>, Handed<Wire<typeof WireFailed>['data']>>,
  Same<keyof NewQrPayment, keyof Wire<typeof CreateQrPayment>>,
  Same<Handed<CreatedQrPayment>, Handed<Wire<typeof WireCreatedQr>>>,
  Same<Handed<QrPayment>, Handed<Wire<typeof WireQr>>>,
  Same<keyof NewRefund, keyof Wire<typeof CreateRefund>>,
  Same<Handed<Omit<NewRefund, 'receipt'>>, Handed<Omit<Wire<typeof CreateRefund>, 'receipt'>>>,
  Same<Omit<Handed<Receipt>, 'items'>, Omit<Handed<Wire<typeof WireReceipt>>, 'items'>>,
  Same<Handed<ReceiptItem>, Handed<Wire<typeof WireReceipt>['items'][number]>>,
  Same<Handed<Refund>, Handed<Wire<typeof WireRefund>>>,
  Same<Handed<RefundPendingEvent['data']>, Handed<Wire<typeof WireRefundPending>['data']>>,
  Same<Handed<RefundCompletedEvent['data']>, Handed<Wire<typeof WireRefundCompleted>['data']>>,
  Same<Handed<RefundFailedEvent['data']>, Handed<Wire<typeof WireRefundFailed>['data']>>,
  Same<Handed<PaymentRefundedEvent['data']>, Handed<Wire<typeof WireRefunded>['data']>>,
  Same<Handed<Binding>, Handed<Wire<typeof WireBinding>>>,
  Same<keyof NewRecurringPayment, keyof Wire<typeof CreateRecurringPayment>>,
  Same<Omit<NewRecurringPayment, 'receipt'>, Omit<Wire<typeof CreateRecurringPayment>, 'receipt'>>,
  Same<RecurringPayment, Wire<typeof WireRecurringPayment>>,
  Same<BindingCreatedEvent, Wire<typeof WireBindingCreated>>,
  Same<BindingRevokedEvent, Wire<typeof WireBindingRevoked>>,
  // A newer service may know more types and failures.
  Same<Omit<CallbackEvent, 'type'>, Omit<Wire<typeof WireEvent>, 'type'>>,
  Same<keyof CallbackAttempt, keyof Wire<typeof WireStory>['attempts'][number]>,
  Same<keyof EventFilter, keyof Wire<typeof CallbackEventQuery>>,
  Same<Register, Wire<typeof WireRegister>>,
  Same<RegisterLine, Wire<typeof WirePart>['items'][number]>,
  Same<keyof RegisterListOptions, keyof Wire<typeof RegisterListQuery>>,
  Same<UsdtRegister, Wire<typeof WireUsdtRegister>>,
  Same<UsdtRegisterLine, Wire<typeof WireUsdtPart>['items'][number]>,
] = [
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
];

it("the client's types are the contract's (checked by the compiler)", () => {
  expect(agreed.every(Boolean)).toBe(true);
});
