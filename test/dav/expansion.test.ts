import ICAL from 'ical.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { instancesOf } from '../../src/calendar/rule/instances.ts';
import { objectBytes } from '../../src/library/index.ts';
import type { ObjectMember } from '../../src/library/objects/types.ts';
import { type Zone, zone } from '../../src/time/zone.ts';
import { Random } from '../generate/random.ts';
import { randomFeed } from '../generate/series.ts';
import { type Served, served } from '../server/stored-rig.ts';

/** Our instances beside those that ical.js finds in the same octets. */

const LONDON = zone('Europe/London') as Zone;
const DAY = 86_400_000;

let one: Served;
const members: ObjectMember[] = [];

beforeAll(async () => {
  one = await served();
  await one.feed(...randomFeed(20_261, 40).flat());
  const rows = await one.rig.store.read.calendars({ kind: 'series', limit: 1000 });
  for (const { key } of rows) members.push(...((await one.library.objects.collection(`series/${key}`))?.members ?? []));
});
afterAll(() => one.close());

const text = (member: ObjectMember): string => new TextDecoder().decode(objectBytes(member));

/** `start/end/original` of each instance that overlaps the window; the original start as the wall shows it. */
function byIcalJs(octets: string, from: number, to: number): string[] {
  ICAL.TimezoneService.reset();
  const root = new ICAL.Component(ICAL.parse(octets) as never);
  for (const one of root.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(new ICAL.Timezone(one));
  const events = root.getAllSubcomponents('vevent').map((component) => new ICAL.Event(component));
  const master = events.find((event) => !event.isRecurrenceException());
  const found: [number, number, number | undefined][] = [];
  const at = (time: ICAL.Time) => time.toUnixTime();
  const wall = (time: ICAL.Time) => Date.UTC(time.year, time.month - 1, time.day, time.hour, time.minute, time.second);
  if (master?.isRecurring() !== true)
    for (const event of events)
      found.push([at(event.startDate), at(event.endDate), event.recurrenceId ? wall(event.recurrenceId) : undefined]);
  else {
    for (const event of events) if (event !== master) master.relateException(event);
    const iterator = master.iterator();
    // Overrides may lie anywhere: all of the rule up to a good while after the window.
    for (let next = iterator.next(); next && at(next) * 1000 < to + 60 * DAY; next = iterator.next()) {
      const { startDate, endDate } = master.getOccurrenceDetails(next);
      found.push([at(startDate), at(endDate), wall(next)]);
    }
  }
  return found
    .filter(([start, end]) =>
      end > start ? start * 1000 < to && end * 1000 > from : start * 1000 >= from && start * 1000 < to,
    )
    .map((instance) => instance.join('/'))
    .sort();
}

const startOf = (member: ObjectMember): number => member.events[0]?.span.start ?? 0;
const seconds = (instant: number): number => Math.floor(instant / 1000);

function byUs(member: ObjectMember, from: number, to: number): string[] {
  return instancesOf(member.events, { from, to }, LONDON)
    .map(({ start, end, original }) => [seconds(start), seconds(end), original?.wall].join('/'))
    .sort();
}

describe('instances', () => {
  it('are those of ical.js, in any window, of random series', () => {
    const random = new Random(5);
    let compared = 0;
    let recurring = 0;
    for (const member of members) {
      if (member.events.some(({ rrule }) => rrule)) recurring += 1;
      const octets = text(member);
      for (let turn = 0; turn < 3; turn += 1) {
        const from = startOf(member) + random.int(-30, 150) * DAY + random.int(0, 47) * 1_800_000;
        const to = from + random.int(1, 365 * 48) * 1_800_000;
        const ours = byUs(member, from, to);
        expect(ours, `${octets}\n${new Date(from).toISOString()} ${new Date(to).toISOString()}`).toEqual(
          byIcalJs(octets, from, to),
        );
        compared += ours.length;
      }
    }
    expect(recurring).toBeGreaterThan(20);
    expect(compared).toBeGreaterThan(500);
  });

  it('are found one by one as among all of them', () => {
    const random = new Random(6);
    for (const member of members) {
      const from = startOf(member) + random.int(-30, 150) * DAY;
      const window = { from, to: random.chance(0.3) ? Number.POSITIVE_INFINITY : from + 20 * DAY };
      const all = instancesOf(member.events, window, LONDON);
      expect(instancesOf(member.events, window, LONDON, 1)).toEqual(all.slice(0, 1));
      expect(instancesOf(member.events, window, LONDON, 3)).toEqual(all.slice(0, 3));
    }
  });
});
