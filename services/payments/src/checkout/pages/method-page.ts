import { ASSETS } from '../assets.ts';
import { html, renderDocument, type Content } from '../html.ts';

/** The data for an issuer's 3DS Method, with EMV's field names. */
type ThreeDsMethodData = { readonly threeDSServerTransID: string; readonly threeDSMethodNotificationURL: string };

/**
 * The content of the card page's hidden frame: a frame for the issuer's page, and the form that the script posts to it. It takes a
 * nested frame, because the issuer is known only now, and the card page's policy allows only our origin. The inner frame
 * may run scripts and post forms, but it cannot navigate the buyer's window.
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

/** The last page in the issuer's frame: its script reports the finished authentication to the card page. */
export function renderMethodDone(threeDsServerTransId: string): string {
  return frameDocument('method-done', html`<p data-authentication=${threeDsServerTransId}></p>`);
}

/** A document that is never visible. */
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
