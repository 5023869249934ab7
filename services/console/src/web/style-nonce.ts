const nonce = document.querySelector('meta[name="style-nonce"]')?.getAttribute('content') ?? '';
// The library below the dialogs, which locks the page behind them, reads the nonce here.
Object.assign(globalThis, { __webpack_nonce__: nonce });

/** The nonce that style elements must carry: this response's Content-Security-Policy names it. */
export const styleNonce = (): string => nonce;
