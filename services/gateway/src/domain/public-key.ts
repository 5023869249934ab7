/** Splits an OpenSSH line into the text that requests must repeat exactly, and the comment, which is not part of the key. */
export function splitComment(line: string): { readonly publicKey: string; readonly comment: string | null } {
  const [type = '', base64 = '', ...comment] = line.trim().split(/ +/);
  return { publicKey: `${type} ${base64}`, comment: comment.length === 0 ? null : comment.join(' ') };
}
