import { listOf } from '../../../calendar/wording/schedule-words.ts';
import { counted } from '../../../library/index.ts';
import type { Instant } from '../../../time/instant.ts';
import type { SentAnswers } from '../../publishing/answers.ts';
import type { Page } from '../frame/document.tsx';
import type { Markup, Piece } from '../frame/markup.tsx';
import type { Site } from '../frame/site.ts';
import { amountWords, dayName, localMoment } from '../wording.ts';
import { type AskView, Questions, Title } from './questions.tsx';
import type { Trial } from './trial.ts';

/** `/publish`: the form for the address of a calendar, and what would be published of it. */

/** A calendar that was tried, or the empty form. */
export interface TriedCalendar {
  now: Instant;
  /** The pasted address, which the form shows again. */
  sent?: string;
  status?: number;
  trouble?: string;
  trial?: Trial;
  /** The person's answers to the questions of the form. */
  filled?: SentAnswers;
}

const TITLE = 'A club’s calendar as open data';
const DESCRIPTION =
  'Paste the address of a calendar, and see what of it would be published as open data, and what not.';

/** The page `/publish`. */
export function publishPage(site: Site, { now, sent = '', status = 200, trouble, trial, filled }: TriedCalendar): Page {
  const body = (
    <>
      <h1>{TITLE}</h1>
      {trial === undefined ? (
        <p class="lead">
          A calendar of classes, sessions or opening hours can be in the open data that activity finders read. Paste its
          address and see what would be published of it, what not, and why. Nothing is published here, and nothing is
          stored: neither the address nor the calendar.
        </p>
      ) : null}
      <TryForm site={site} sent={sent} trouble={trouble} />
      {trial === undefined ? <Where /> : <Result trial={trial} site={site} now={now} sent={sent} filled={filled} />}
    </>
  );
  const title = trial === undefined ? TITLE : `What would be published: ${trial.name ?? 'your calendar'}`;
  return { title, description: DESCRIPTION, body, publishers: [], status, style: ['publish'] };
}

function TryForm({ site, sent, trouble }: { site: Site; sent: string; trouble: string | undefined }): Markup {
  const isWrong = trouble !== undefined;
  return (
    <form class="try part" method="post" action={site.links.path('/publish')}>
      <label for="calendar">Address of the calendar</label>
      <div>
        <input
          id="calendar"
          name="calendar"
          value={sent}
          inputmode="url"
          autocomplete="off"
          autocapitalize="none"
          maxlength={2000}
          required
          placeholder="https://calendar.google.com/calendar/ical/…/basic.ics"
          aria-invalid={isWrong ? 'true' : undefined}
          aria-describedby={isWrong ? 'wrong' : undefined}
        />
        <button class="btn" type="submit">
          Show what would be published
        </button>
      </div>
      {isWrong ? (
        <p class="wrong" id="wrong" role="alert">
          {trouble}
        </p>
      ) : null}
    </form>
  );
}

function Where(): Markup {
  return (
    <section class="part where">
      <h2>Where the address is</h2>
      <ul>
        <li>
          <b>Google Calendar</b>, on a computer: ⋮ beside the calendar, <i>Settings and sharing</i>, then{' '}
          <i>Integrate calendar</i>. If the calendar is public, copy <i>Public address in iCal format</i>; otherwise{' '}
          <i>Secret address in iCal format</i>.
        </li>
        <li>
          <b>Outlook</b>: <i>Settings</i>, <i>Calendar</i>, <i>Shared calendars</i>, <i>Publish a calendar</i>, then the
          address that ends in <code>.ics</code>.
        </li>
        <li>
          <b>Apple</b>: share button beside the calendar, <i>Public Calendar</i>, then copy its <code>webcal://</code>{' '}
          address.
        </li>
        <li>
          <b>Booking systems</b> call it iCal, ICS or calendar feed.
        </li>
      </ul>
    </section>
  );
}

interface ResultView {
  trial: Trial;
  site: Site;
  now: Instant;
}

function Result({ trial, site, now, sent, filled }: ResultView & AskView): Markup {
  return (
    <>
      <section class="part">
        <h2>
          What would be published
          {trial.name === undefined ? null : [' of ', <bdi>{trial.name}</bdi>]}
        </h2>
        <p class="sum">{summaryWords(trial)}</p>
        <Published trial={trial} site={site} now={now} />
      </section>
      <Questions trial={trial} site={site} sent={sent} filled={filled} />
      <Left trial={trial} />
      <Findings trial={trial} />
      <MappingFile mapping={trial.mapping} />
    </>
  );
}

function summaryWords({ counts, undecided, left, more, private: hidden }: Trial): string {
  const { series, sessions, facilities } = counts;
  const parts = [
    ...(series > 0 ? [counted(series, 'class or session', 'classes or sessions')] : []),
    ...(sessions > 0 ? [counted(sessions, 'date of its own', 'dates of their own')] : []),
    ...(facilities > 0 ? [counted(facilities, 'place with opening hours', 'places with opening hours')] : []),
  ];
  const events = [...undecided, ...left].reduce((sum, one) => sum + one.events, hidden);
  const out = events === 0 ? '' : ` ${counted(events, 'entry', 'entries')}${more > 0 ? ' and more' : ''} would not be.`;
  return parts.length === 0 ? `Nothing would be published yet.${out}` : `${listOf(parts)} would be published.${out}`;
}

function Published({ trial, site, now }: ResultView): Markup | null {
  const { series, facilities, counts } = trial;
  if (series.length + facilities.length === 0) return null;
  const more = counts.series - series.length + counts.facilities - facilities.length;
  return (
    <>
      <ul class="card outs">
        {series.map((one) => (
          <li>
            <h3>
              <bdi>{one.name}</bdi>
            </h3>
            <p>{whenWords(one, site.zone, now)}</p>
            <p class="say soft">
              <Known value={one.activity} missing="No activity" /> · <Known value={one.place} missing="No place" /> ·{' '}
              {priceWords(one.price)}
            </p>
          </li>
        ))}
        {facilities.map(({ name, hours }) => (
          <li>
            <h3>
              <bdi>{name}</bdi>
            </h3>
            <p>Opening hours: {counted(hours, 'line')}</p>
          </li>
        ))}
      </ul>
      {more > 0 ? <p class="soft">and {counted(more, 'other')}.</p> : null}
    </>
  );
}

function Known({ value, missing }: { value: string | undefined; missing: string }): Markup {
  return value === undefined ? <span class="flag new">{missing}</span> : <bdi>{value}</bdi>;
}

function whenWords({ when, sessions, next }: Trial['series'][number], zone: string, now: Instant): string {
  const dates = sessions === 0 ? [] : [counted(sessions, 'date')];
  const all = [...when, ...dates];
  return all.length === 0 ? 'No dates ahead' : `${all.join('; ')}${nextWords(next, zone, now)}`;
}

function nextWords(next: string | undefined, zone: string, now: Instant): string {
  if (next === undefined) return '';
  const { day, time } = localMoment(zone, Date.parse(next));
  const name = dayName(day, localMoment(zone, now).day);
  return `, next: ${name}${next.includes('T') ? `, ${time}` : ''}`;
}

function priceWords(price: { amount: number; currency?: string } | undefined): Piece {
  if (price === undefined) return <span class="flag new">No price</span>;
  if (price.amount === 0) return 'Free';
  return amountWords(price.amount, price.currency);
}

function Left({ trial: { left, more, private: hidden } }: { trial: Trial }): Markup | null {
  if (left.length === 0 && hidden === 0) return null;
  return (
    <section class="part">
      <h2>What would not be published, and why</h2>
      <ul class="card outs one">
        {left.map(({ title, events, why }) => (
          <li>
            <Title title={title} events={events} />
            <span class="soft">It {why}.</span>
          </li>
        ))}
        {hidden === 0 ? null : (
          <li>
            <b>
              {counted(hidden, 'entry', 'entries')} that {hidden === 1 ? 'is' : 'are'} private in the calendar
            </b>
            <span class="soft">Private entries are never published, and their titles are not shown here.</span>
          </li>
        )}
      </ul>
      {more > 0 ? <p class="soft">and {counted(more, 'other title')}.</p> : null}
      <p class="soft after">Lines of the mapping file below can publish those that should be.</p>
    </section>
  );
}

const SEVERITIES = { error: ['bad', 'Needed'], warning: ['new', 'Check'], info: ['', 'Note'] } as const;

function Findings({ trial: { findings } }: { trial: Trial }): Markup | null {
  if (findings.length === 0) return null;
  return (
    <section class="part">
      <h2>What could be better</h2>
      <ul class="card outs one">
        {findings.map(({ severity, message, count }) => {
          const [colour, word] = SEVERITIES[severity];
          return (
            <li>
              <span class={`flag ${colour}`}>{word}</span>
              <span>
                {message}
                {count > 1 ? <span class="soft"> ({count} of this kind)</span> : null}
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** The mapping file as text and as a `data:` link, which a browser downloads without a script. */
function MappingFile({ mapping }: { mapping: string }): Markup {
  const address = `data:application/json;charset=utf-8,${encodeURIComponent(mapping)}`;
  return (
    <section class="part map">
      <h2>The mapping file</h2>
      <p>
        It says what the calendar does not: who organises, where, at what price, and what is left out. It is made from
        the calendar and of what you filled in; what begins with <i>To decide</i> is still open.
      </p>
      <label class="vh" for="mapping">
        The mapping file
      </label>
      <textarea id="mapping" readonly>
        {mapping}
      </textarea>
      <p>
        <a class="btn" href={address} download="mapping.json">
          Download mapping.json
        </a>
      </p>
      <h3 class="part">Then</h3>
      <ol>
        <li>
          Decide what is still open, above or with any text editor. Every key is explained in{' '}
          <code>docs/mapping.md</code>.
        </li>
        <li>
          Whoever runs a computer for the club publishes it, and it stays up to date by itself:
          <br />
          <code>openactive-ical publish ADDRESS --mapping mapping.json --base-url https://YOUR.SITE</code>
        </li>
        <li>
          Its page at <code>/rpde/</code> is what catalogues of open data ask for.
        </li>
      </ol>
    </section>
  );
}
