declare const kind: unique symbol;

/**
 * The id of a partner. A plain string is accepted as one, an operator's login never is: passing or comparing one in
 * place of the other does not compile. See decisions/five-steps.
 */
export type PartnerId = string & { readonly [kind]?: 'partner id' };

/** The login of an operator, as recorded in every audit log. Never a partner. */
export type OperatorLogin = string & { readonly [kind]?: 'operator login' };
