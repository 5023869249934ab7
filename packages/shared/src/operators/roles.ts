/** What an operator is employed for. Each has one. */
export const ROLES = ['support', 'operator', 'finance', 'admin'] as const;
export type Role = (typeof ROLES)[number];
