import { randomUUID } from 'node:crypto';
import { MONTHLY, PRODUCTS, type Product } from '../catalogue.ts';
import type { Order } from '../orders.ts';
import type { Subscription } from '../subscriptions.ts';
import { html, NOTHING, type Html } from './html.ts';
import { form, money, moment, short } from './layout.ts';

/** The shop window. Each form names the order that it makes, so that two clicks make one. */
export function teas(token: string, hasSubscription: boolean): Html {
  return html`
    <p class="lead">Small harvests, roasted on Tuesdays, posted on Wednesdays. Pay by card, or by SBP from your bank's app.</p>
    <div class="products">
      ${PRODUCTS.map((product) =>
        card(
          product,
          form(
            '/orders',
            token,
            html`<input type="hidden" name="product" value="${product.id}" />
              <input type="hidden" name="order" value="${randomUUID()}" />
              <button class="primary" name="method" value="card">Pay by card</button>
              <button name="method" value="sbp">Pay by SBP</button>`,
          ),
        ),
      )}
    </div>
    <section class="monthly">
      ${card(
        MONTHLY,
        hasSubscription
          ? html`<p><a href="/orders">You have it already</a></p>`
          : form(
              '/orders',
              token,
              html`<input type="hidden" name="product" value="${MONTHLY.id}" />
                <input type="hidden" name="order" value="${randomUUID()}" />
                <button class="primary" name="method" value="card">Subscribe by card</button>`,
            ),
      )}
    </section>
  `;
}

const card = (product: Product, buttons: Html): Html => html`
  <article>
    <img src="${product.picture}" alt="" width="160" height="120" />
    <h2>${product.title}</h2>
    <p>${product.text}</p>
    <p class="price">${money(product.kopecks)}${product.id === MONTHLY.id ? ' a month' : ''}</p>
    ${buttons}
  </article>
`;

/** What a buyer bought, and their subscription. */
export function myOrders(orders: readonly Order[], subscription: Subscription | undefined, token: string): Html {
  return html`
    ${subscription === undefined ? NOTHING : subscriptionBox(subscription, token)}
    ${orders.length === 0 ? html`<p>Nothing yet. <a href="/">See the teas</a></p>` : NOTHING}
    <ul class="orders">
      ${orders.map(
        (order) => html`
          <li>
            <a href="/orders/${order.id}">${order.title}</a>
            ${state(order)} ${money(order.kopecks)}
            <small>${moment(order.created_at)}${order.method === 'renewal' ? ', monthly charge' : ''}</small>
          </li>
        `,
      )}
    </ul>
  `;
}

const SUBSCRIPTION_TEXTS = {
  ACTIVE: 'Your card is charged once a month.',
  PAUSED: 'Your bank does not accept the card any more. Subscribe again with another one.',
  ENDED: 'Ended: your card is not charged any more.',
} as const;

const subscriptionBox = ({ status, next_charge_at }: Subscription, token: string): Html => html`
  <section class="box">
    <h2>${MONTHLY.title} ${money(MONTHLY.kopecks)}</h2>
    <p>
      ${SUBSCRIPTION_TEXTS[status]} ${status === 'ACTIVE' && next_charge_at !== null ? html`Next: ${moment(next_charge_at)} UTC.` : NOTHING}
    </p>
    ${status === 'ENDED' ? NOTHING : form('/subscription/stop', token, html`<button>Stop it</button>`)}
  </section>
`;

const STATES = {
  NEW: ['wait', 'Asking the bank'],
  WAITING: ['wait', 'Not paid yet'],
  PAID: ['good', 'Paid'],
  FAILED: ['bad', 'Not paid'],
} as const;

export function state({ status }: Order): Html {
  const [tone, text] = STATES[status];
  return html`<span class="state ${tone}">${text}</span>`;
}

/** One order: how to pay it, or what became of it. */
export function oneOrder(order: Order, refunded: number): Html {
  return html`
    <section class="box order">
      <p class="price">${money(order.kopecks)} ${state(order)}</p>
      ${order.status === 'PAID' ? html`<p>Thank you. The parcel leaves on Wednesday.</p>` : NOTHING}
      ${order.status === 'FAILED' ? html`<p>No money was taken (${order.failure ?? 'unknown'}). <a href="/">Try again</a></p>` : NOTHING}
      ${order.status === 'NEW' ? html`<p>The payment service has not answered yet. We ask again; you need not.</p>` : NOTHING}
      ${order.status === 'WAITING' ? howToPay(order) : NOTHING} ${refunded === 0 ? NOTHING : html`<p>Given back: ${money(refunded)}</p>`}
      <p><small>Order ${short(order.id)}, ${moment(order.created_at)} UTC</small></p>
    </section>
  `;
}

function howToPay({ method, payment_url, qr_image, qr_link }: Order): Html {
  if (method === 'renewal') return html`<p>Your saved card is being charged.</p>`;
  if (method === 'sbp' && qr_image !== null && qr_link !== null) {
    return html`
      <p>Scan the code with your phone, or <a href="${qr_link}">open your bank's app</a>. This page notices.</p>
      <img class="qr" src="${qr_image}" alt="QR code for SBP" />
      ${payment_url === null ? NOTHING : html`<p><a href="${payment_url}">Show it on the payment page</a></p>`}
    `;
  }
  // A link, not a redirect of the form: the policy lets forms go to this shop only.
  return payment_url === null
    ? html`<p>The payment page is not there yet.</p>`
    : html`<p><a class="button primary" href="${payment_url}">Go to the payment page</a></p>`;
}
