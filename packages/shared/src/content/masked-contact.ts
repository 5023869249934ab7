/**
 * An e-mail address or a telephone number as far as its owner recognises it, and nobody else learns it: `i***@shop.example`,
 * `+7***4567`.
 */
export function maskedContact(contact: string): string {
  const at = contact.lastIndexOf('@');
  if (at > 0) return `${contact.slice(0, 1)}***${contact.slice(at)}`;
  return `${contact.slice(0, 2)}***${contact.slice(-4)}`;
}
