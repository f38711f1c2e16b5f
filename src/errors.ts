/**
 * Errors that a message to a person may come of: one root, one class per cause, `cause` kept. An error that its own room
 * catches extends Error, as `LateError` of `cache` does.
 *
 * A message is one line that says what was wrong and, where the reader can do something, what. It never holds a
 * secret: addresses in it are cut by `publicUrl`. What a feed got wrong is not an error but a finding
 * (`opportunity/findings.ts`), unless nothing at all could be read.
 */

/** The root. `bug` says whether the fault is ours: then the reader should report it instead of changing something. */
export class OpenactiveIcalError extends Error {
  readonly bug: boolean = false;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** A promise inside the program was broken: nothing the operator or a publisher does can cause it. */
export class BugError extends OpenactiveIcalError {
  override readonly bug: boolean = true;
}

/** The command line does not make sense. Exit code 2, one line. */
export class UsageError extends OpenactiveIcalError {}

/** Settings that cannot be used; every problem at once, each with its name, value and what is allowed. Exit code 2. */
export class ConfigError extends OpenactiveIcalError {
  readonly problems: readonly string[];

  constructor(problems: readonly string[], options?: ErrorOptions) {
    super(problems.length === 1 ? `Bad setting: ${problems[0]}` : `Bad settings:\n${bullets(problems)}`, options);
    this.problems = problems;
  }
}

/** A FILE, folder or standard input that cannot be read, or is larger than we take. */
export class SourceError extends OpenactiveIcalError {}

/** Anything that can go wrong with an HTTP request outwards. `url` is fit to be shown; `transient`: a later try may succeed. */
export class FetchError extends OpenactiveIcalError {
  readonly url: string;
  readonly transient: boolean = true;

  constructor(url: URL | string, message: string, options?: ErrorOptions) {
    const shown = publicUrl(url);
    super(`${shown}: ${message}`, options);
    this.url = shown;
  }
}

/** Not an address we go to: another scheme than http(s), not public, or not resolvable to a public one. */
export class RefusedAddressError extends FetchError {
  override readonly transient: boolean = false;
}

/** No connection, a broken one, a name that does not resolve, or TLS that does not verify. */
export class ConnectionError extends FetchError {}

/** The server took longer than we wait: to connect, to answer, between two pieces, or in all. */
export class FetchTimeoutError extends FetchError {}

/** More bytes, on the wire or after decoding, than we take. It will be as large next time. */
export class BodyTooLargeError extends FetchError {
  override readonly transient: boolean = false;
}

/** A body that does not decode: an unknown or a chained Content-Encoding, broken gzip, an end before its length. */
export class BodyError extends FetchError {}

/** A redirect without an address, or one too many. */
export class RedirectError extends FetchError {}

/** A status other than the ones asked for. `retryAfter` in milliseconds, when the server named it. */
export class StatusError extends FetchError {
  readonly status: number;
  readonly retryAfter: number | undefined;

  constructor(url: URL | string, status: number, retryAfter?: number) {
    super(url, `the server answered ${status}`);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** A feed that cannot be followed further: its paging contradicts RPDE, or it leads where it may not. */
export class FeedError extends OpenactiveIcalError {}

/** A dataset site or catalogue that names nothing to read. */
export class DatasetError extends FeedError {}

/** A feed that sends more than one feed may hold. */
export class QuotaError extends FeedError {}

/** The wait for an operation has ended without an answer; the operation may still be under way. */
export class StalledError extends OpenactiveIcalError {}

/** A thread ended of an earlier question: this one was not begun, and may be asked of another thread. */
export class UnbegunError extends OpenactiveIcalError {}

/** The feed was forgotten, or is about to be: nothing more of it is taken in. */
export class ForgottenError extends OpenactiveIcalError {
  constructor(feed: string) {
    super(
      `${publicUrl(feed)}: somebody had this feed forgotten; it is read again when a serve or sync that names it starts`,
    );
  }
}

/** Somebody wants the feed left alone: nothing more of it is taken in until it is resumed. */
export class PausedError extends OpenactiveIcalError {
  constructor(feed: string) {
    super(`${publicUrl(feed)}: paused by somebody; feeds --resume has it read again`);
  }
}

/** Another process reads the same feed and was faster: its cursor is where to go on. */
export class OvertakenError extends OpenactiveIcalError {
  constructor(feed: string) {
    super(`${publicUrl(feed)}: another process reads this feed`);
  }
}

/** Another process has the lease of the publisher by now: nothing more of the feed is asked for here. */
export class EndedLeaseError extends OpenactiveIcalError {
  constructor(feed: string) {
    super(`${publicUrl(feed)}: another process reads the feeds of this publisher`);
  }
}

/** The person or the supervisor asked us to stop: nothing is wrong. */
export class StoppedError extends OpenactiveIcalError {
  readonly signal: string;

  constructor(signal: string) {
    super(`stopped by ${signal}`);
    this.signal = signal;
  }
}

/** The address to listen on cannot be had. `setting`: what names the port. */
export class ListenError extends OpenactiveIcalError {
  constructor(host: string, port: number, cause: unknown, setting = '--port or PORT') {
    const code = String((cause as NodeJS.ErrnoException | null)?.code ?? '');
    const words = LISTEN_WORDS[code]?.replace('SETTING', setting) ?? messageOf(cause);
    super(`cannot listen on ${host}, port ${port}: ${words}`, { cause });
  }
}

const LISTEN_WORDS: Record<string, string> = {
  EADDRINUSE: 'another program listens there (choose another port with SETTING)',
  EACCES: 'not allowed (ports below 1024 need privileges: choose another with SETTING)',
  EADDRNOTAVAIL: 'this machine has no such address (see --host or HOST)',
  ENOTFOUND: 'there is no host of this name (see --host or HOST)',
};

/** An answer that took more time or memory than one may: `limits.ts` says how much. */
export class OverBudgetError extends OpenactiveIcalError {}

/** A request is refused, because too many wait for an answer. */
export class BusyError extends OpenactiveIcalError {}

/** What is the matter with the store's file or its disk. */
export const STORE_TROUBLES = ['damaged', 'unreadable', 'full', 'read-only'] as const;
export type StoreTrouble = (typeof STORE_TROUBLES)[number];

interface StoreErrorOptions extends ErrorOptions {
  trouble?: StoreTrouble | undefined;
  cure?: string | undefined;
}

/** The store cannot be opened, read or written, or was made by a newer release. `trouble`: it goes on until somebody helps. */
export class StoreError extends OpenactiveIcalError {
  readonly trouble: StoreTrouble | undefined;
  /** What is the matter and what helps, without a file, an address or a row: for whoever asks over HTTP. */
  readonly cure: string | undefined;

  constructor(message: string, { trouble, cure, ...options }: StoreErrorOptions = {}) {
    super(message, options);
    this.trouble = trouble;
    this.cure = cure;
  }
}

/** The settings name a database that cannot be used as it is named. Exit code 2. */
export class DatabaseError extends StoreError {}

/** Stands for a value that may not be shown; `named`: because of its name, not of its form. */
type Mask = (value: string, named: boolean) => string;

/**
 * An address as it may be shown and logged: without user, password and fragment. Values of the query are replaced where their
 * name or their form is that of a key. Never throws.
 */
export function publicUrl(url: URL | string, mask?: Mask): string {
  const parsed = typeof url === 'string' ? URL.parse(url) : url;
  if (parsed === null) return '(an address that cannot be read)';
  const text = publicText(parsed.href, mask);
  return text.length > 300 ? `${text.slice(0, 299)}…` : text;
}

/** A public address as somebody wrote it, which may be relative, or none at all: the rest of it stays as it is. */
export function publicText(address: string, mask: Mask = () => '***'): string {
  const [plain = ''] = splitOnce(address, '#');
  const [before = '', query] = splitOnce(plain, '?');
  const shown = before.replace(/\/\/[^/]*@/, '//');
  return query === undefined
    ? shown
    : `${shown}?${query
        .split('&')
        .map((one) => publicParameter(one, mask))
        .join('&')}`;
}

function publicParameter(parameter: string, mask: Mask): string {
  const [name = '', value] = splitOnce(parameter, '=');
  if (value === undefined) return KEY_LIKE.test(name) ? mask(name, false) : name;
  if (SECRET_NAME.test(name)) return `${name}=${mask(value, true)}`;
  return KEY_LIKE.test(value) && !PAGING_NAME.test(name) ? `${name}=${mask(value, false)}` : parameter;
}

const SECRET_NAME = /key|token|secret|passw|pwd|auth|sig|credential|session|^code$/i;

/** Letters and digits mixed, and long: keys, hashes, GUIDs, signed texts. Words, numbers and dates are not. */
const KEY_LIKE = /^(?=.*\d)(?=.*[a-z].*[a-z])(?!\d{4}-\d\d-\d\d)[^/]{16,}$/i;

/** RPDE's parameters hold ids of items, which are often GUIDs. */
const PAGING_NAME = /^after(?:id|timestamp|changenumber)$/i;

function splitOnce(text: string, at: string): string[] {
  const index = text.indexOf(at);
  return index < 0 ? [text] : [text.slice(0, index), text.slice(index + 1)];
}

/** Whether the fault is the program's: then it is to be reported, and where it was thrown is of use. */
export function isBug(error: unknown): boolean {
  return !(error instanceof OpenactiveIcalError) || error.bug;
}

/** What went wrong as one line that a terminal can show, for anything thrown. */
export function messageOf(error: unknown): string {
  // Several addresses of one host were tried.
  if (error instanceof AggregateError && error.message === '') return messageOf(error.errors[0]);
  const text = error instanceof Error ? error.message : String(error);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not reach a terminal
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').trim() || 'unknown error';
}

function bullets(lines: readonly string[]): string {
  return lines.map((line) => `  - ${line}`).join('\n');
}
