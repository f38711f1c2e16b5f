import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ICAL from 'ical.js';
import { describe, expect, test } from 'vitest';
import { expectedHours, FROM, file, index, type PlaceCase, TO } from '../cases.ts';
import { whenHere } from '../judge.ts';
import { runs } from '../readers.ts';
import { utc } from '../rows.ts';
import { rest } from '../union.ts';

/**
 * Readers of VAVAILABILITY (RFC 7953) and VFREEBUSY that know nothing of the program: by the RFC's own text, and stepping from
 * day to day as sabre/vobject does. What they find busy is what `hours` does not list, second for second.
 */

const here = fileURLToPath(new URL('../readers', import.meta.url));
const { places } = index();

interface Script {
  name: string;
  program: string;
  script: string;
  probe: string[];
  ending: 'availability.ics' | 'freebusy.ics';
}

const python = { program: '/usr/bin/python3', probe: ['-c', 'import icalendar, dateutil'] };
const sabre = "require '/usr/share/php/Sabre/VObject/includes.php';";
const SCRIPTS: Script[] = [
  { name: 'VAVAILABILITY by RFC 7953', script: 'rfc7953.py', ending: 'availability.ics', ...python },
  {
    name: 'VAVAILABILITY from day to day',
    script: 'availability.php',
    ending: 'availability.ics',
    program: 'php',
    probe: ['-r', sabre],
  },
  { name: 'VFREEBUSY by icalendar', script: 'freebusy.py', ending: 'freebusy.ics', ...python },
];

describe.each(SCRIPTS)('$name', ({ program, probe, script, ending }) => {
  whenHere(runs(program, probe) ? undefined : `${program} ${probe.join(' ')}`, () => {
    test.each(places.map((one) => [one.name, one] as const))('%s', (_, one) => {
      const said = execFileSync(program, [join(here, script), file(one.name, ending), FROM, TO], {
        encoding: 'utf8',
        maxBuffer: 1 << 29,
      });
      expectBusy(one, busyBy(said));
    });
  });
});

describe('VFREEBUSY by ical.js', () => {
  test.each(places.map((one) => [one.name, one] as const))('%s', (_, one) => {
    const calendar = new ICAL.Component(ICAL.parse(readFileSync(file(one.name, 'freebusy.ics'), 'utf8')));
    const busy = new Map<string, Busy[]>();
    for (const component of calendar.getAllSubcomponents('vfreebusy')) {
      const periods = component
        .getAllProperties('freebusy')
        .flatMap((line) => line.getValues() as unknown as ICAL.Period[]);
      const url = String(component.getFirstPropertyValue('url'));
      busy.set(
        url,
        periods.map(({ start, end }) => ({ start: utc(start.toUnixTime() * 1000), end: utc(end.toUnixTime() * 1000) })),
      );
    }
    expectBusy(one, busy);
  });
});

interface Busy {
  start: string;
  end: string;
}

/** Of whom nothing is busy, nothing is known: such a place has no hours. */
function expectBusy(one: PlaceCase, busy: ReadonlyMap<string, Busy[]>): void {
  expect(busy.size).toBeGreaterThan(3);
  for (const [{ name, url }, hours] of expectedHours(one)) {
    const own = busy.get(`Opening hours: ${name}`) ?? busy.get(url);
    expect(own === undefined ? [] : rest(own, FROM, TO), name).toEqual(hours);
  }
}

/** Lines `NAME<TAB>TYPE START END`. */
function busyBy(said: string): Map<string, Busy[]> {
  const busy = new Map<string, Busy[]>();
  for (const line of said.split('\n').slice(0, -1)) {
    const [name = '', period = ''] = line.split('\t');
    const [, start = '', end = ''] = period.split(' ');
    const own = busy.get(name) ?? [];
    own.push({ start, end });
    busy.set(name, own);
  }
  return busy;
}
