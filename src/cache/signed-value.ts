import type { Keyv } from 'keyv';
import { type ZodType, z } from 'zod';
import { type CacheLog, onceUntilWell, withinTime } from './patience.ts';
import { storeAsJson } from './redis.ts';
import { isSameDigest, macOf } from './signature.ts';

/** One value that processes of a store share for a short time. Neither method rejects. */
export interface SignedValue<T> {
  /** The value; undefined: it is absent, late, or not of this store. */
  get(): Promise<T | undefined>;
  /** Shares the value for `ms` milliseconds. */
  put(value: T, ms: number): Promise<void>;
}

interface Signing<T> {
  key: string;
  secret: string;
  schema: ZodType<T>;
  log: CacheLog;
  /** Words for the log: what the process does where the cache does not answer. */
  instead: string;
  /** Whether the cache can be asked now; default: always. */
  ready?: () => boolean;
}

const kept = z.strictObject({ text: z.string(), mac: z.string() });

export function signedValue<T>(keyv: Keyv, signing: Signing<T>): SignedValue<T> {
  const { key, secret, schema, log, instead, ready = () => true } = signing;
  const { failed, well } = onceUntilWell(log, instead);
  keyv.on('error', failed);
  storeAsJson(keyv);

  async function attempt<R>(promise: Promise<R>): Promise<R | undefined> {
    try {
      const answer = await withinTime(promise);
      well();
      return answer;
    } catch (error) {
      failed(error);
      return undefined;
    }
  }

  return {
    get: async () => {
      const { success, data } = kept.safeParse(ready() ? await attempt(keyv.get<unknown>(key)) : undefined);
      if (!success || !isSameDigest(data.mac, macOf(secret, key, data.text))) return undefined;
      const { data: value } = schema.safeParse(JSON.parse(data.text));
      return value;
    },
    put: async (value, ms) => {
      const text = JSON.stringify(value);
      if (ready()) await attempt(keyv.set(key, { text, mac: macOf(secret, key, text) }, ms));
    },
  };
}
