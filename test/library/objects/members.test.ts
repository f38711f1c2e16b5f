import { describe, expect, it } from 'vitest';
import type { CalendarEvent } from '../../../src/calendar/objects.ts';
import { uid } from '../../../src/calendar/uid.ts';
import { membersOf, stateOfMembers } from '../../../src/library/objects/members.ts';
import { calendar } from '../../server/fake.ts';
import { eventsIn, textOf } from './octets.ts';

const MODIFIED = Date.UTC(2026, 10, 1);
const revision = () => ({ sequence: 3, modified: MODIFIED });
const event = (name: string, over: Partial<CalendarEvent> = {}): CalendarEvent => ({
  uid: uid(name),
  span: { zone: 'UTC', start: MODIFIED, end: MODIFIED + 3_600_000 },
  status: 'CONFIRMED',
  summary: name,
  ...over,
});
const members = async (events: CalendarEvent[]) => membersOf({ calendar: { ...calendar('Any'), events }, revision });

describe('the members of a calendar', () => {
  it('may be 20,000, in the order of their names', async () => {
    const found = await members(Array.from({ length: 20_000 }, (_, at) => event(String(at))));
    expect(found.omitted).toBe(0);
    const names = found.members.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)].sort());
    expect(names.length).toBe(20_000);
    expect(stateOfMembers(found.members)).not.toBe(stateOfMembers(found.members.slice(1)));
  });

  it('are without those that cannot be written, which are counted', async () => {
    const bad = event('bad', { status: 'NONE' as never });
    const found = await members([event('a'), bad, event('b')]);
    expect(found.members.map(({ uid: one }) => one)).toEqual([uid('a'), uid('b')].sort());
    expect(found.omitted).toBe(1);
  });

  it('have the master first, wherever it stood', async () => {
    const wall = MODIFIED;
    const override = event('a', { recurrenceId: { zone: 'Europe/London', wall } });
    const [member] = (await members([override, event('b'), event('a')])).members.filter((one) => one.uid === uid('a'));
    expect(member?.events.map(({ recurrenceId }) => recurrenceId?.wall)).toEqual([undefined, wall]);
    expect(eventsIn(textOf(member as never)).length).toBe(2);
  });

  it('have safe names also where UIDs are of others', async () => {
    const { members: found } = await members([event('a', { uid: 'a/../b@x.example' })]);
    expect(found[0]?.name).toMatch(/^[0-9a-f]{40}\.ics$/);
  });
});
