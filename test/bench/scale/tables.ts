import { ASSUMED, type Assumed, asked, type Load, loadOf, type Measured, PROGRAMS, total } from './model.ts';

/** The tables of docs/scale.md, as Markdown. */

const number = (value: number, digits = 0) =>
  value.toLocaleString('en-GB', { minimumFractionDigits: digits, maximumFractionDigits: digits });
const percent = (value: number) => `${number(100 * value, 1)} %`;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Requests of each program. */
export function programsTable(assumed: Assumed = ASSUMED): string {
  const all = asked(assumed);
  const rows = all.map(({ name, perSecond, whole }, at) => {
    const { share, hours, conditional } = PROGRAMS[at] as (typeof PROGRAMS)[number];
    return [name, percent(share), number(hours, 1), conditional ? 'yes' : 'no', number(perSecond), number(whole)];
  });
  rows.push(['all', '', '', '', number(total(all, 'perSecond')), number(total(all, 'whole'))]);
  return table(['program', 'share', 'hours between polls', 'conditional', 'requests a second', 'answered whole'], rows);
}

export function measuredTable(measured: Measured): string {
  return table(
    ['measured', ''],
    [
      ['a calendar as sent (gzip), octets', number(measured.sentOctets)],
      ['headers of an answer, octets', number(measured.headerOctets)],
      ['a calendar as held (plain and gzip), octets', number(measured.heldOctets)],
      ['calendars a second from memory, one process', number(measured.requestsPerSecond)],
      ['calendars rendered a second, one thread', number(measured.rendersPerSecond)],
    ],
  );
}

const ROWS: readonly (readonly [string, (load: Load) => string])[] = [
  ['requests a second, mean', ({ perSecond }) => number(perSecond)],
  ['Mbit/s, mean', ({ octets }) => number((8 * octets) / 1e6, 1)],
  ['terabytes a month', ({ terabytesAMonth }) => number(terabytesAMonth, 1)],
  ['found in 64 MB of one process', ({ hitDefault }) => percent(hitDefault)],
  ['rendered a second, with 64 MB and nothing in front', ({ rendersDefault }) => number(rendersDefault)],
  ['memory that holds every calendar, MB', ({ memoryForAll }) => number(memoryForAll / 1e6)],
  ['requests a second that pass one caching proxy', ({ passingOne }) => number(passingOne)],
  ['requests a second that pass a CDN of 30 places', ({ passingMany }) => number(passingMany)],
  ['minutes to render every calendar after a release, one thread', ({ renderAllMinutes }) => number(renderAllMinutes)],
  ['machines without a proxy, at the peak', ({ machines }) => number(machines)],
  ['machines behind the CDN, at the peak', ({ machinesBehindMany }) => number(machinesBehindMany)],
  ['money a month without a proxy', ({ money }) => number(money)],
  ['money a month behind the CDN', ({ moneyBehindMany }) => number(moneyBehindMany)],
];

/** The load of several numbers of subscribers, a column each. */
export function loadTable(
  measured: Measured,
  subscribers: readonly number[] = [100_000, 1_000_000, 10_000_000],
): string {
  const loads = subscribers.map((one) => loadOf({ ...ASSUMED, subscribers: one }, measured));
  return table(
    ['', ...subscribers.map((one) => `${number(one)} subscriptions`)],
    ROWS.map(([name, read]) => [name, ...loads.map(read)]),
  );
}
