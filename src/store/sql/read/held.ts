import { type HeldReader, type Loss, lossOf } from '../../contract/index.ts';
import type { Database } from '../database.ts';
import { kindName, SERIES, SESSION } from '../rows.ts';

/** Counts sessions of other feeds in the series of a feed: subscribers lose them with the series. */
const OF_OTHERS = `SELECT count(*) FROM item i CROSS JOIN record s ON s.item = i.id AND s.kind = ${SERIES}
  CROSS JOIN record r ON r.parent = s.id AND r.kind = ${SESSION} CROSS JOIN item o ON o.id = r.item
  WHERE i.feed = ? AND o.feed <> ?`;

/** Counts the calendars and sessions that a feed could lose. */
export function heldReader(db: Database): HeldReader {
  return {
    async ownedIn(feed) {
      const sql =
        'SELECT r.kind, r.rank, count(*) FROM item i CROSS JOIN record r ON r.item = i.id WHERE i.feed = ? GROUP BY 1, 2';
      const sums: Loss = { calendars: 0, sessions: 0 };
      for (const [kind, rank, count] of await db.all(sql, feed)) {
        const what = lossOf(kindName(kind), Number(rank));
        sums.calendars += what.calendars * Number(count);
        sums.sessions += what.sessions * Number(count);
      }
      sums.sessions += Number((await db.get(OF_OTHERS, feed, feed))?.[0] ?? 0);
      return sums;
    },
  };
}
