import { DatabaseError, StoreError, type StoreTrouble } from '../../errors.ts';

/** What PostgreSQL says, in words that help, by SQLSTATE (PostgreSQL, appendix A) or Node's code. */

interface Fault {
  words: string;
  trouble?: StoreTrouble;
}

const FULL: Fault = { words: 'its disk is full; make room there, and it goes on by itself', trouble: 'full' };
const SHARED_MEMORY: Fault = {
  words: 'it has too little shared memory for what was asked; give its container more (shm_size, or --shm-size)',
};
const DAMAGED: Fault = { words: 'it is damaged; bring back a copy', trouble: 'damaged' };
const READ_ONLY: Fault = {
  words: 'it cannot be written; check whether the address names a standby, or one that is set to read only',
  trouble: 'read-only',
};
const ACCESS: Fault = { words: 'user or password are wrong; check DATABASE_URL, and pg_hba.conf of the server' };
const UNREACHABLE: Fault = { words: 'it cannot be reached; check DATABASE_URL, and whether PostgreSQL runs there' };
const TLS: Fault = {
  words: 'its certificate is not trusted; name that of its authority in DATABASE_URL (sslrootcert=FILE)',
};
const CONFLICT: Fault = { words: 'other transactions were in the way again and again; it is tried again later' };
const ENDED: Fault = { words: 'the connection was ended; it is opened again with the next question' };
const BUSY: Fault = { words: 'another process has kept it locked for too long; it is tried again later' };

const FAULTS: Readonly<Record<string, Fault>> = {
  '53100': FULL,
  '25006': READ_ONLY,
  XX001: DAMAGED,
  XX002: DAMAGED,
  '58030': { words: 'reading or writing its files failed; check its disk', trouble: 'unreadable' },
  '28000': ACCESS,
  '28P01': ACCESS,
  '3D000': { words: 'there is no such database; make it with "createdb", or check DATABASE_URL' },
  '42501': {
    words: 'its user may not do this; make the user the owner of the database, or grant it CREATE on the schema',
  },
  '40001': CONFLICT,
  '40P01': CONFLICT,
  '53300': { words: 'it has no connection left; raise max_connections, or run fewer processes' },
  '55000': { words: 'it takes no connections, or not for this; the log of PostgreSQL has the reason' },
  '55P03': BUSY,
  '57014': { words: 'a statement took too long, and was stopped' },
  '57P01': ENDED,
  '57P02': ENDED,
  '25P03': ENDED,
  '57P05': ENDED,
  '57P03': { words: 'it is starting up or shutting down; it is tried again later' },
  ECONNREFUSED: UNREACHABLE,
  ECONNRESET: ENDED,
  EPIPE: ENDED,
  ENOTFOUND: UNREACHABLE,
  EAI_AGAIN: UNREACHABLE,
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  ETIMEDOUT: UNREACHABLE,
  ENOENT: UNREACHABLE,
  SELF_SIGNED_CERT_IN_CHAIN: TLS,
  DEPTH_ZERO_SELF_SIGNED_CERT: TLS,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: TLS,
  ERR_TLS_CERT_ALTNAME_INVALID: TLS,
  CERT_HAS_EXPIRED: TLS,
};

/** What the driver says without a code. */
const WITHOUT_CODE: readonly (readonly [RegExp, Fault])[] = [
  [/Connection terminated due to connection timeout|timeout expired/, UNREACHABLE],
  // All connections of the pool are in use.
  [
    /timeout exceeded when trying to connect/,
    { words: 'it is busy with other questions of this process; it is asked again with the next one' },
  ],
  [/Connection terminated|Client has encountered a connection error/, ENDED],
  [/Query read timeout/, { words: 'it gave no answer; it is asked again with the next question' }],
  [/does not support SSL/, { words: 'it speaks no TLS; take sslmode out of DATABASE_URL, or set it up there' }],
  [/password must be a string|SASL|no password/i, ACCESS],
];

/** What was thrown, in words; what is not the database's own stays as it is. `name`: the address without its password. */
export function postgresFault(error: unknown, name: string): unknown {
  if (error instanceof StoreError || !(error instanceof Error)) return error;
  const known = faultOf(error);
  if (known === undefined && !isSqlState(codeOf(error))) return error;
  // What is not known may quote a row: it is for the log alone.
  const words = known?.words ?? error.message;
  return new StoreError(`The database ${name} failed: ${words}.`, {
    cause: error,
    trouble: known?.trouble,
    cure: known?.words,
  });
}

/** The fault in words for who opens the database: the settings are to be written otherwise, unless somebody must help the database. */
export function openingFault(error: unknown, name: string): unknown {
  const fault = postgresFault(error, name);
  if (!(fault instanceof StoreError) || fault.trouble !== undefined) return fault;
  return fault instanceof DatabaseError
    ? fault
    : new DatabaseError(fault.message, { cause: fault.cause ?? fault, cure: fault.cure });
}

function faultOf(error: Error): Fault | undefined {
  // Several addresses of one host were tried.
  const [first] = error instanceof AggregateError ? (error.errors as Error[]) : [error];
  const code = codeOf(first ?? error) ?? codeOf(error);
  if (code === '53100' && /shared memory/.test(error.message)) return SHARED_MEMORY;
  return FAULTS[code ?? ''] ?? WITHOUT_CODE.find(([pattern]) => pattern.test(error.message))?.[1];
}

function codeOf(error: unknown): string | undefined {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : undefined;
}

const isSqlState = (code: string | undefined): boolean => code !== undefined && /^[\dA-Z]{5}$/.test(code);

/** Whether a transaction was ended because another was in its way: begun again, it may go through. */
export function isConflict(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return CONFLICTS.has(codeOf(error) ?? '') || isConflict(error.cause);
}

/** Whether a statement had no answer in its time: the connection would give none to the next either. */
export function isSilent(error: unknown): boolean {
  return error instanceof Error && (/Query read timeout/.test(error.message) || isSilent(error.cause));
}

/** serialization_failure, deadlock_detected. */
const CONFLICTS = new Set(['40001', '40P01']);

/** The name of a database as it may be shown: no password, and no options. */
export function databaseName(url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null) return '(an address that cannot be read)';
  const user = parsed.username === '' ? '' : `${parsed.username}@`;
  return `${parsed.protocol}//${user}${parsed.host}${parsed.pathname}`;
}
