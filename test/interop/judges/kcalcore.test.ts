import { judgedBy } from '../judge.ts';
import { readerOf } from '../readers.ts';

/** KDE's engine (KOrganizer, Merkuro), with a recurrence engine of its own. */

judgedBy(readerOf('KCalendarCore'));
