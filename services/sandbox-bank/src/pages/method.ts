import { html } from 'htm/preact';
import type { VNode } from 'preact';

/** The issuer's hidden page: nobody sees it, and its script submits it at once. */
export function methodPage(notificationUrl: string, data: string): VNode {
  return html`
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>3DS Method</title>
        <script src="/assets/method.js" defer></script>
      </head>
      <body>
        <form method="post" action=${notificationUrl}>
          <input type="hidden" name="threeDSMethodData" value=${data} />
        </form>
      </body>
    </html>
  `;
}
