import KeyvRedis, { createClient } from '@keyv/redis';
import { Keyv } from 'keyv';
import { LIMITS } from '../limits.ts';

/** A Keyv over a Redis or Valkey. */
interface RedisCache {
  keyv: Keyv;
  /** False while there is no connection: then the server is not asked. */
  ready(): boolean;
  close(): void;
}

/** The most commands that wait. All would wait for ever at a server that takes commands and does not answer them. */
const MOST_COMMANDS = 500;

/** Reads no more of a value than one may have: GET would hold the whole of it before its length is known. */
class BoundedRedis extends KeyvRedis<string> {
  override async get<U = string>(key: string): Promise<U | undefined> {
    const client = await this.getClient();
    const text = await client.getRange(this.createKeyPrefix(key, this.namespace), 0, LIMITS.sharedBytes);
    return text === '' ? undefined : (text as U);
  }
}

/** `url`: of CACHE_URL (`redis://`, `rediss://`, `valkey://`, `valkeys://`). Connects in the background, and again where it is lost. */
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
    // Already heard through the error event; the client goes on trying by itself.
  });
  return {
    keyv,
    ready: () => client.isReady,
    close: () => {
      if (client.isOpen) client.destroy();
    },
  };
}

/** Values as JSON, read within bounds; a failed read is an error, and not a miss without a word. */
export function storeAsJson(keyv: Keyv): void {
  keyv.throwOnErrors = true;
  keyv.serialize = JSON.stringify;
  keyv.deserialize = parseBounded;
}

/** What stands for a text that nobody here wrote. */
const FOREIGN = { value: null };

/** Keyv's own reading would fail of what is no JSON: that is no failure of the server. */
function parseBounded<T>(text: string): { value: T } {
  try {
    const found: unknown = text.length > LIMITS.sharedBytes ? FOREIGN : JSON.parse(text);
    return (typeof found === 'object' && found !== null && 'value' in found ? found : FOREIGN) as { value: T };
  } catch {
    return FOREIGN as { value: T };
  }
}
