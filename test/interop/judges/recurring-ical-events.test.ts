import { judgedBy } from '../judge.ts';
import { readerOf } from '../readers.ts';

/** Python: icalendar, dateutil and pytz, as in many servers and scripts. */

judgedBy(readerOf('recurring-ical-events'));
