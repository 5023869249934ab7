/**
 * An e-mail address or phone number that its owner recognises but nobody else can read: `i***@shop.example`,
 * `+7***4567`.
 */
export function maskedContact(contact: string): string {
  const at = contact.lastIndexOf('@');
  if (at > 0) return `${contact.slice(0, 1)}***${contact.slice(at)}`;
  return `${contact.slice(0, 2)}***${contact.slice(-4)}`;
}
