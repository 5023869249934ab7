import type { Order } from '../orders.ts';
import { rubles } from '../money.ts';
import type { Refund } from '../refunds.ts';
import type { Subscription } from '../subscriptions.ts';
import { state } from './buyer.ts';
import { html, NOTHING, type Html } from './html.ts';
import { form, money, moment, short } from './layout.ts';

/** A row of `callback_events`. */
export type EventRow = {
  readonly event_id: string;
  readonly aggregate_id: string;
  readonly aggregate_version: number;
  readonly received_at: string;
  readonly repeats: number;
  readonly type: string;
  readonly effect: string;
  readonly body: string;
};

type Books = {
  readonly orders: readonly Order[];
  readonly refunds: readonly Refund[];
  readonly subscriptions: readonly Subscription[];
  readonly refundedOf: (order: Order) => number;
};

/** Orders with their refunds, and the saved cards. `complaint` is why the last form did nothing. */
export function books({ orders, refunds, subscriptions, refundedOf }: Books, token: string, complaint: string): Html {
  return html`
    ${complaint === '' ? NOTHING : html`<p class="complaint" role="alert">${complaint}</p>`}
    <section class="box">
      <h2>Saved cards</h2>
      <ul class="orders">
        ${subscriptions.map(
          (one) => html`
            <li>
              ${short(one.binding_id)}
              <span class="state ${one.status === 'ACTIVE' ? 'good' : 'bad'}">${one.status}</span>
              <small
                >${one.next_charge_at === null ? 'asks when the next charge may come' : html`next ${moment(one.next_charge_at)}`}</small
              >
              <small>${one.note ?? ''}</small>
            </li>
          `,
        )}
      </ul>
      ${form('/admin/renew', token, html`<button>Charge them all now</button>`)}
      <p><small>The service takes one charge in a period: who is not due is refused, with the next date.</small></p>
    </section>
    <h2>Orders</h2>
    <ul class="orders">
      ${orders.map(
        (order) => html`
          <li data-order="${order.id}">
            <strong>${order.title}</strong> ${state(order)} ${money(order.kopecks)}
            <small>${moment(order.created_at)}, ${order.method}, ${short(order.id)} ${order.failure ?? ''}</small>
            ${refunds.filter((refund) => refund.order_id === order.id).map(refundLine)}
            ${order.status === 'PAID' && refundedOf(order) < order.kopecks ? refundForm(order, refundedOf(order), token) : NOTHING}
          </li>
        `,
      )}
    </ul>
  `;
}

const refundLine = ({ kopecks, status, failure }: Refund): Html =>
  html`<p class="refund">Refund ${money(kopecks)} ${status} ${failure ?? ''}</p>`;

function refundForm(order: Order, refunded: number, token: string): Html {
  const left = rubles(order.kopecks - refunded);
  return form(
    '/admin/refunds',
    token,
    html`
      <input type="hidden" name="order" value="${order.id}" />
      <label>Rubles to give back <input name="amount" inputmode="decimal" autocomplete="off" placeholder="${left}" /></label>
      <button>Refund</button>
      <small>Empty: all of ${left}</small>
    `,
  );
}

/** What the receiver took, newest first. */
export const eventLog = (events: readonly EventRow[]): Html => html`
  <p>
    Verified callbacks as they arrive, newest first. What is not authentic is answered 401, changes nothing, and is in the log of the
    process.
  </p>
  <ol class="events">
    ${events.map(
      (event) => html`
        <li>
          <h2>${event.type === '' ? 'older event' : event.type}</h2>
          <p>${event.effect}</p>
          <p>
            <small>
              ${moment(event.received_at)} UTC, ${event.aggregate_id}, version
              ${event.aggregate_version}${event.repeats === 0 ? '' : `, came ${String(event.repeats + 1)} times and was applied once`}
            </small>
          </p>
          ${
            event.body === ''
              ? NOTHING
              : html`<details>
                  <summary>Body</summary>
                  <pre tabindex="0">${JSON.stringify(JSON.parse(event.body), null, 2)}</pre>
                </details>`
          }
        </li>
      `,
    )}
  </ol>
`;
