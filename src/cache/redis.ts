import KeyvRedis, { createClient } from '@keyv/redis';
import { Keyv } from 'keyv';
import { LIMITS } from '../limits.ts';

/** A Keyv over a Redis or Valkey. */
interface RedisCache {
  keyv: Keyv;
  /** Whether there is a connection. Without one the server is not asked. */
  ready(): boolean;
  close(): void;
}

/** The most commands that wait for an answer: a server that takes commands and answers none would fill the memory. */
const MOST_COMMANDS = 500;

/** A Redis store that reads the first `sharedBytes` of a value: GET would load a value of any length. */
class BoundedRedis extends KeyvRedis<string> {
  override async get<U = string>(key: string): Promise<U | undefined> {
    const client = await this.getClient();
    const text = await client.getRange(this.createKeyPrefix(key, this.namespace), 0, LIMITS.sharedBytes);
    return text === '' ? undefined : (text as U);
  }
}

/** Opens the server at CACHE_URL (`redis://`, `rediss://`, `valkey://`, `valkeys://`). It connects in the background, and again. */
export function openRedis(url: string, namespace: string): RedisCache {
  // Without an offline queue a command fails at once while there is no connection, instead of waiting for one.
  const client = createClient({
    url: url.replace(/^valkey/, 'redis'),
    disableOfflineQueue: true,
    commandsQueueMaxLength: MOST_COMMANDS,
    socket: { connectTimeout: 5000, reconnectStrategy: (tries) => Math.min(30_000, 2 ** Math.min(tries, 9) * 100) },
  });
  const keyv = new Keyv({ store: new BoundedRedis(client, { throwOnErrors: true }), namespace });
  client.connect().catch(() => {
    // The error event reports it, and the client tries again by itself.
  });
  return {
    keyv,
    ready: () => client.isReady,
    close: () => {
      if (client.isOpen) client.destroy();
    },
  };
}

/** Makes Keyv store values as JSON, bound what it parses, and throw where a read fails: that is no silent miss. */
export function storeAsJson(keyv: Keyv): void {
  keyv.throwOnErrors = true;
  keyv.serialize = JSON.stringify;
  keyv.deserialize = parseBounded;
}

/** The entry for a text that no process of this program wrote. */
const FOREIGN = { value: null };

/** Parses an entry. A text that is no JSON is a miss: with Keyv's own parser it would count as a failure of the server. */
function parseBounded<T>(text: string): { value: T } {
  try {
    const found: unknown = text.length > LIMITS.sharedBytes ? FOREIGN : JSON.parse(text);
    return (typeof found === 'object' && found !== null && 'value' in found ? found : FOREIGN) as { value: T };
  } catch {
    return FOREIGN as { value: T };
  }
}
