// A script: the types of Preact's compatibility with React are no module that could be passed on, and those of React hold.
export * from 'preact/compat';
export { default } from 'preact/compat';

/** Preact has none: what is hidden is not kept, but made again when it is shown. */
export const Activity = ({ mode, children }) => (mode === 'hidden' ? null : children);
