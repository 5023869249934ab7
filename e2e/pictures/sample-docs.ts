/** A small documentation that has everything that pages are made of. */
export const SAMPLE_DOCS: Readonly<Record<string, string>> = {
  'partners/guides/README.md': `# Guides

A task each. Begin with [refunds](refunds.md).

## Before the first one

You need a running sandbox.

## All of them

- [Refunds](refunds.md)
`,
  'partners/guides/refunds.md': `# Refunds

You return a part of a payment, and then the rest. Card payments, charges of saved cards and QR payments are refunded in the same way. You need
[a running sandbox](README.md#before-the-first-one).

## A part

\`\`\`console
$ pay refund create 01a20a72-ad08-7e37-9598-0981466d6191 --amount 4.00 --reason "One item out of stock"
refundId         01a20a72-c3f6-7ba6-ba9f-78ebd06cf73c
amount           4.00
status           COMPLETED
…
\`\`\`

PENDING instead of COMPLETED means that the bank has not decided. The result comes as \`refund.completed\` or \`refund.failed\`. **Do not refund again**
meanwhile: a repeat with a new key is a second refund.

\`\`\`ts
const refund = await client.refundCardPayment(id, { amount: '4.00' }); // the rest stays refundable
\`\`\`

## What to know

1. A payment can be refunded for 365 days.
2. A failed refund frees its amount for another one.
   - To see one, refund a QR payment of 10.95.
   - Our fee stays when a payment is refunded.

> Give each refund a number of yours: the same number twice is refused.

| status | what it means | final |
| --- | --- | --- |
| PENDING | the bank has not decided | no |
| COMPLETED | the money is on its way to the buyer | yes |
| FAILED | nothing was returned; the amount can be refunded again | yes |

### In a program

\`refundCardPayment\`, \`refundQrPayment\`, \`readRefund\`.
`,
  'decisions/README.md': `# Decisions

| decision | title | status | changes |
| --- | --- | --- | --- |
| [0001](0001-amounts-are-text.md) | Keep amounts as text | accepted |  |
| [0002](0002-one-row-is-one-fact.md) | Write one row for one fact | superseded | 0001 |
`,
  'decisions/0001-amounts-are-text.md': `# 0001: Keep amounts as text

**Status:** accepted.

**Context.** A number of a program cannot represent every amount.

**Decision.** An amount is a decimal string from the first byte to the last.

- **On the wire** it is a number with two decimals.
- **In a database** it is a whole number of kopecks.

**Consequences.** Nothing is ever rounded. See [the words](../glossary.md).

**What would make us change our mind.** A language that has decimal numbers.
`,
  'decisions/0002-one-row-is-one-fact.md': `# 0002: Write one row for one fact

**Status:** superseded.

**Context.** Two facts in a row cannot be changed one by one.
`,
  'glossary.md': `# Glossary

One word for one thing. Names of files, functions, types, log fields and metrics are taken from here.

| word | meaning | in code and API | retired |
| --- | --- | --- | --- |
| acquirer | the bank, or its interface, that takes payments for us; never shown to partners | \`payments/src/acquirers/\`, \`Acquirer\`, \`acquirerOf\` | \`payment-partner\`, \`createSandboxBankPartner\` |
| charge | one merchant-initiated payment with a binding | \`use-cases/charge/\`, \`POST /v1/recurring-payments\` |  |
| refund | money back to the buyer, a part or all of a payment | \`refunds\`, \`POST …/refunds\` |  |

## Words on the screens

| English | Russian |
| --- | --- |
| saved card | сохранённая карта |
| refund | возврат |
`,
  'openapi.json': JSON.stringify({
    info: {
      title: 'Payments',
      version: '1.0.0',
      description: 'Signed calls in, signed callbacks out. **Amounts** are decimal.',
    },
    tags: [
      { name: 'Card payments', description: 'A page on which buyers pay by card.' },
      { name: 'Callbacks', description: 'What we send.' },
    ],
    paths: {
      '/api/card': {
        post: {
          operationId: 'createCardPayment',
          tags: ['Card payments'],
          summary: 'Create a card payment',
          description: 'Answers with the address of the page.',
          parameters: [
            {
              name: 'Idempotency-Key',
              in: 'header',
              required: true,
              description: 'Your name for this request.',
              schema: { type: 'string', maxLength: 128 },
            },
          ],
          requestBody: {
            content: {
              'application/json': {
                schema: { $ref: '#/components/schemas/NewPayment' },
                example: { amount: 10.5, orderID: 'tea-2001' },
              },
            },
          },
          responses: {
            201: {
              description: 'The payment.',
              content: {
                'application/json': {
                  schema: { $ref: '#/components/schemas/Payment' },
                  example: { id: '01a20a72-ad08-7e37-9598-0981466d6191', amount: 10.5, status: 'SUBMITTED' },
                },
              },
            },
            409: { description: 'DUPLICATE_ORDER: there is a payment with this number.' },
          },
        },
      },
      '/api/card/{id}': {
        get: {
          operationId: 'readCardPayment',
          tags: ['Card payments'],
          summary: 'Read card payment',
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } }],
          responses: { 200: { description: 'The payment.' } },
        },
      },
    },
    webhooks: {
      'payment.completed': {
        post: {
          operationId: 'payment-completed',
          tags: ['Callbacks'],
          summary: 'A payment was completed',
          responses: { 200: { description: 'Received.' } },
        },
      },
    },
    components: {
      schemas: {
        NewPayment: {
          type: 'object',
          required: ['amount', 'orderID'],
          properties: {
            amount: { type: 'number', description: 'Rubles, with two decimals.', exclusiveMinimum: 0 },
            orderID: { type: 'string', description: 'Your number of the order.', maxLength: 64 },
            method: { type: 'string', enum: ['CARD', 'SBP'], default: 'CARD' },
          },
        },
        Payment: {
          type: 'object',
          required: ['id', 'amount', 'status'],
          properties: {
            id: { type: 'string', format: 'uuid' },
            amount: { type: 'number' },
            status: { type: 'string', enum: ['SUBMITTED', 'COMPLETED'] },
          },
        },
      },
    },
  }),
};

/** The document of the operator API of that documentation. */
export const SAMPLE_OPERATORS = {
  info: { title: 'Operators', version: '1.0.0', description: 'For people at desks.' },
  tags: [],
  paths: {},
  components: { schemas: {} },
};
