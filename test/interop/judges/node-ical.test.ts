import { judgedBy } from '../judge.ts';
import { readerOf } from '../readers.ts';

/** node-ical, with rrule-temporal inside. */

judgedBy(readerOf('node-ical'));
