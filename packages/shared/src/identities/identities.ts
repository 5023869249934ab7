declare const kind: unique symbol;

/**
 * The id of a partner. A string whose origin is not known is taken for one; an operator's login never is: to pass or
 * compare one where the other belongs does not compile. ADR 0146.
 */
export type PartnerId = string & { readonly [kind]?: 'partner id' };

/** The login of an operator, as it stands in every audit log. Never a partner. */
export type OperatorLogin = string & { readonly [kind]?: 'operator login' };
