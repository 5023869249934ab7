/**
 * htm's own types describe its CommonJS build; with Node's resolution the function ends up one level too deep. These
 * describe what `import htm from 'htm'` returns here.
 */
declare module 'htm' {
  type H<T> = (type: never, props: never, ...children: never[]) => T;
  const htm: {
    bind<T>(h: H<T>): (strings: TemplateStringsArray, ...values: unknown[]) => T | T[];
  };
  export default htm;
}
