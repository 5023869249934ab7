import { ASSETS } from '../assets.ts';
import { html, renderDocument, type Content } from '../html.ts';

/** EMV's words: what an issuer's 3DS Method is told. */
type ThreeDsMethodData = { readonly threeDSServerTransID: string; readonly threeDSMethodNotificationURL: string };

/**
 * In the card page's hidden frame: a frame for the issuer's page and the form that leads there, which the script posts. A frame
 * in a frame, because only now is it known whose page it is, and the card page's policy names nobody but us. The inner one
 * may run its scripts and post; it can't lead the buyer's window away.
 */
export function renderMethodFrame(url: string, data: ThreeDsMethodData): string {
  const value = Buffer.from(JSON.stringify(data)).toString('base64url');
  return frameDocument(
    'method',
    html`
      <iframe name="issuer" title="3DS Method" sandbox="allow-forms allow-scripts allow-same-origin"></iframe>
      <form method="post" action=${url} target="issuer">
        <input type="hidden" name="threeDSMethodData" value=${value} />
      </form>
    `,
  );
}

/** In the issuer's frame, when it is done: its script tells the card page which authentication that was. */
export function renderMethodDone(threeDsServerTransId: string): string {
  return frameDocument('method-done', html`<p data-authentication=${threeDsServerTransId}></p>`);
}

/** Nobody sees it. */
function frameDocument(name: string, content: Content): string {
  return renderDocument(html`
    <html lang="en" data-page=${name}>
      <head>
        <meta charset="utf-8" />
        <title>3DS Method</title>
        <script src=${ASSETS.script.path} integrity=${ASSETS.script.integrity} defer></script>
      </head>
      <body>
        ${content}
      </body>
    </html>
  `);
}
