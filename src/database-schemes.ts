/** The schemes of addresses that name a database. The settings take no other, and the store has a driver for each. */
const DATABASE_SCHEMES = ['postgres:', 'postgresql:'] as const;

export type DatabaseScheme = (typeof DATABASE_SCHEMES)[number];

/** The scheme of a database's address; undefined: it is none. */
export function databaseScheme(address: string): DatabaseScheme | undefined {
  const scheme = URL.parse(address)?.protocol;
  return DATABASE_SCHEMES.find((one) => one === scheme);
}
