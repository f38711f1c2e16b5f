/**
 * What so many subscribers ask of a service, from how often their programs poll, which headers we send and what was
 * measured (`measured.json`). Pure: every figure of docs/scale.md comes from here.
 */

export interface Program {
  name: string;
  /** Of all subscriptions: assumed, for nobody publishes it. */
  share: number;
  /** Hours between two polls, as makers and logs say (feed rule 24 has the hint that few heed). */
  hours: number;
  /** Sends If-None-Match or If-Modified-Since; where nobody knows, it is taken not to. */
  conditional: boolean;
}

export const PROGRAMS: readonly Program[] = [
  { name: 'Google Calendar', share: 0.4, hours: 8, conditional: false },
  { name: 'Apple Calendar', share: 0.38, hours: 1, conditional: true },
  { name: 'Outlook.com and Microsoft 365', share: 0.13, hours: 3, conditional: false },
  { name: 'Outlook classic', share: 0.03, hours: 6, conditional: false },
  { name: 'Thunderbird', share: 0.02, hours: 0.5, conditional: true },
  { name: 'ICSx5', share: 0.01, hours: 6, conditional: true },
  { name: 'Nextcloud', share: 0.01, hours: 6, conditional: false },
  { name: 'Proton, Fastmail, Yahoo', share: 0.02, hours: 4, conditional: false },
];

export interface Measured {
  /** Octets of a calendar: as it is sent compressed, and as it is held (plain and compressed). */
  sentOctets: number;
  heldOctets: number;
  /** Of the headers of an answer. */
  headerOctets: number;
  /** Requests a second that one process answered from memory, and calendars a second that it rendered. */
  requestsPerSecond: number;
  rendersPerSecond: number;
}

export interface Assumed {
  subscribers: number;
  /** Calendars that anybody may subscribe to, and how unequal they are: the n-th is asked for n^-skew times as often. */
  calendars: number;
  skew: number;
  /** Polls of the busiest minute, times those of the mean one. */
  peak: number;
  /** Calendars that change in a day, of all. */
  changing: number;
  /** Seconds of `max-age`. */
  maxAge: number;
  /** Places where a CDN keeps copies, each for itself. */
  places: number;
  /** Money, in any currency: a machine of two processors for a month, and a terabyte sent. */
  machinePrice: number;
  terabytePrice: number;
}

export const ASSUMED: Assumed = {
  subscribers: 10_000_000,
  calendars: 225_000,
  skew: 0.8,
  peak: 10,
  changing: 0.05,
  maxAge: 900,
  places: 30,
  machinePrice: 20,
  terabytePrice: 10,
};

/** Requests a second for one calendar after another, the most wanted first. */
export function rates({ calendars, skew }: Pick<Assumed, 'calendars' | 'skew'>, perSecond: number): Float64Array {
  const weights = Float64Array.from({ length: calendars }, (_, at) => (at + 1) ** -skew);
  const sum = weights.reduce((all, weight) => all + weight, 0);
  return weights.map((weight) => (perSecond * weight) / sum);
}

/**
 * Requests a second that pass a cache which keeps each answer for `maxAge` seconds: of one object asked for λ times a second
 * λ/(1+λT), for a fresh time T begins with each that passes, and the next comes 1/λ after its end.
 */
export function passing(each: Float64Array, maxAge: number, places = 1): number {
  return each.reduce((sum, all) => {
    const rate = all / places;
    return sum + (places * rate) / (1 + rate * maxAge);
  }, 0);
}

/** Share of requests that find their calendar among the `held` last asked for (Che's approximation of LRU). */
export function hitRate(each: Float64Array, held: number): number {
  if (held >= each.length) return 1;
  let [low, high] = [0, 1e12];
  for (let step = 0; step < 200; step += 1) {
    const middle = (low + high) / 2;
    const filled = each.reduce((sum, rate) => sum - Math.expm1(-rate * middle), 0);
    if (filled < held) low = middle;
    else high = middle;
  }
  const total = each.reduce((sum, rate) => sum + rate, 0);
  return each.reduce((sum, rate) => sum - rate * Math.expm1(-rate * low), 0) / total;
}

export interface Asked {
  name: string;
  perSecond: number;
  /** Answered with the whole calendar; the others with 304. */
  whole: number;
}

/** Requests a second of each program. */
export function asked({ subscribers, changing }: Pick<Assumed, 'subscribers' | 'changing'>): Asked[] {
  return PROGRAMS.map(({ name, share, hours, conditional }) => {
    const perSecond = (subscribers * share) / (hours * 3600);
    // A program that asks by condition is sent what has changed since its last poll.
    const changed = 1 - (1 - changing) ** (hours / 24);
    return { name, perSecond, whole: conditional ? perSecond * changed : perSecond };
  });
}

export const total = (all: readonly Asked[], of: 'perSecond' | 'whole'): number =>
  all.reduce((sum, one) => sum + one[of], 0);

export interface Load {
  perSecond: number;
  /** Octets a second, headers counted. */
  octets: number;
  /** From memory, with the default 64 MB of one process and with what holds every calendar. */
  hitDefault: number;
  rendersDefault: number;
  memoryForAll: number;
  /** What passes a cache in front: one, and a CDN with copies in many places. */
  passingOne: number;
  passingMany: number;
  /** Machines at the busiest minute, each at half of what it can. */
  machines: number;
  machinesBehindMany: number;
  /** Minutes until every calendar is rendered again after a release, on one process. */
  renderAllMinutes: number;
  terabytesAMonth: number;
  money: number;
  moneyBehindMany: number;
}

const CACHE_OCTETS = 64 * 1024 * 1024;
const MONTH = 30 * 86_400;

export function loadOf(assumed: Assumed, measured: Measured): Load {
  const all = asked(assumed);
  const [perSecond, whole] = [total(all, 'perSecond'), total(all, 'whole')];
  const each = rates(assumed, perSecond);
  const octets = perSecond * measured.headerOctets + whole * measured.sentOctets;
  const hitDefault = hitRate(each, Math.floor(CACHE_OCTETS / measured.heldOctets));
  const passingMany = passing(each, assumed.maxAge, assumed.places);
  const machinesFor = (rate: number) => Math.max(2, Math.ceil((2 * assumed.peak * rate) / measured.requestsPerSecond));
  const terabytesAMonth = (octets * MONTH) / 1e12;
  const [machines, machinesBehindMany] = [machinesFor(perSecond), machinesFor(passingMany)];
  const sent = terabytesAMonth * assumed.terabytePrice;
  return {
    perSecond,
    octets,
    hitDefault,
    rendersDefault: perSecond * (1 - hitDefault),
    memoryForAll: assumed.calendars * measured.heldOctets,
    passingOne: passing(each, assumed.maxAge),
    passingMany,
    machines,
    machinesBehindMany,
    renderAllMinutes: assumed.calendars / measured.rendersPerSecond / 60,
    terabytesAMonth,
    money: machines * assumed.machinePrice + sent,
    moneyBehindMany: machinesBehindMany * assumed.machinePrice + sent,
  };
}
