/** JSON with line breaks, its numbers as they were written: JSON.parse would make 10.5 of an amount of 10.50. */
export function indented(json: string): string {
  let depth = 0;
  const line = () => `\n${'  '.repeat(depth)}`;
  return json
    .replaceAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|\s+/g, (token) => {
      if (/^\s+$/.test(token)) return '';
      if (token === ',') return `,${line()}`;
      if (token === ':') return ': ';
      if (token === '{' || token === '[') {
        depth += 1;
        return `${token}${line()}`;
      }
      if (token === '}' || token === ']') {
        depth -= 1;
        return `${line()}${token}`;
      }
      return token;
    })
    .replaceAll(/([{[])\s+([}\]])/g, '$1$2');
}
