import { describe } from 'vitest';
import { judgedBy, restrictionsHold, whenHere } from '../judge.ts';
import { readerOf } from '../readers.ts';

/** libical: the engine of Evolution and GNOME, and the strictest parser there is. */

const libical = readerOf('libical');
judgedBy(libical);

describe('neither the parser nor icalrestriction_check() objects to', () => {
  whenHere(libical.missing(), restrictionsHold);
});
