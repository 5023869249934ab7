/** What stands behind a key in the line that holds it: its comment, which is not part of the key. */
export function commentBehind(publicKey: string, text: string): string | null {
  const [, blob = ''] = publicKey.split(' ');
  const [, behind = ''] = text.split(blob);
  const [line = ''] = behind.split(/[\r\n]|\\+[nr]/);
  const comment = line
    .replace(/["'`\uFEFF\u200B]/g, '')
    .trim()
    .split(/\s+/)
    .join(' ');
  return comment === '' ? null : comment;
}
