import type { ReactNode } from 'react';

export * from 'preact/compat';
export { default } from 'preact/compat';

/** Preact has none: what is hidden is not kept, but made again when it is shown. */
export const Activity = ({ mode, children }: { readonly mode: 'visible' | 'hidden'; readonly children: ReactNode }) =>
  mode === 'hidden' ? null : children;
