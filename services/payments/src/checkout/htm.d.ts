/**
 * htm's own types describe its CommonJS build: under Node's resolution they put the function a level too deep. These
 * describe what `import htm from 'htm'` gives here.
 */
declare module 'htm' {
  type H<T> = (type: never, props: never, ...children: never[]) => T;
  const htm: {
    bind<T>(h: H<T>): (strings: TemplateStringsArray, ...values: unknown[]) => T | T[];
  };
  export default htm;
}
