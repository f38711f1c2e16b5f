import { open } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';

/** Other bytes on the first page of a table or an index, in the file of a database that nobody has open. */
export async function flip(file: string, name: string): Promise<void> {
  const db = new DatabaseSync(file, { readOnly: true });
  const root = Number(db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(name)?.rootpage);
  db.close();
  const handle = await open(file, 'r+');
  await handle.write(Buffer.alloc(8192, 0xa5), 0, 8192, 8192 * (root - 1));
  await handle.close();
}
