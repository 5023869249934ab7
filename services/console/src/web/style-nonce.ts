const nonce = document.querySelector('meta[name="style-nonce"]')?.getAttribute('content') ?? '';
// The library under the dialogs, which locks the page behind them, asks for it here.
Object.assign(globalThis, { __webpack_nonce__: nonce });

/** What style elements must carry to be taken: the Content-Security-Policy of this answer names it. */
export const styleNonce = (): string => nonce;
