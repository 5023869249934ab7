/** What the shop reads from its environment; `.env.example` says what each variable is. */
export type Config = {
  readonly apiUrl: string;
  readonly partnerId: string;
  readonly publicKey: string;
  readonly privateKeyFile: string;
  readonly cardPointId: string;
  readonly qrPointId: string;
  /** Origin of the shop as buyers and the service see it, without a slash at the end. */
  readonly shopUrl: string;
  readonly host: string;
  readonly port: number;
  readonly adminPassword: string;
  readonly callbackSecretFile: string;
  readonly databaseFile: string;
};

const ADMIN_PASSWORD_LENGTH_MIN = 16;

/** @throws Error that names the first variable that is missing or wrong: a shop that is half configured does not start. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const read = (name: string): string => {
    const value = env[name];
    if (value === undefined || value === '') throw new Error(`${name} is not set: see .env.example`);
    return value;
  };
  const adminPassword = read('ADMIN_PASSWORD');
  if (adminPassword.length < ADMIN_PASSWORD_LENGTH_MIN) {
    throw new Error(`ADMIN_PASSWORD needs ${String(ADMIN_PASSWORD_LENGTH_MIN)} characters: it gives money back`);
  }
  return {
    apiUrl: read('API_URL'),
    partnerId: read('PARTNER_ID'),
    publicKey: read('PUBLIC_KEY'),
    privateKeyFile: read('PRIVATE_KEY_FILE'),
    cardPointId: read('CARD_POINT_ID'),
    qrPointId: read('QR_POINT_ID'),
    shopUrl: new URL(read('SHOP_URL')).origin,
    host: read('HOST'),
    port: Number(read('PORT')),
    adminPassword,
    callbackSecretFile: read('CALLBACK_SECRET_FILE'),
    databaseFile: read('DATABASE_FILE'),
  };
}
