import { counted } from '../../../library/index.ts';
import { activityList } from '../../../vocabulary/shipped.ts';
import { MOST_TITLES, type SentAnswers } from '../../publishing/answers.ts';
import type { Markup } from '../frame/markup.tsx';
import type { Site } from '../frame/site.ts';
import type { Trial } from './trial.ts';

/** The questions of `/publish`: what a calendar does not say, for the mapping file. */

export interface AskView {
  trial: Trial;
  site: Site;
  sent: string;
  filled: SentAnswers | undefined;
}

/** The form of the questions. Its answers are written into the mapping file. */
export function Questions({ trial, site, sent, filled }: AskView): Markup {
  const { typed = { site: '', organizer: '', price: '' }, answers, wrong = [] } = filled ?? {};
  const named = answers?.activities ?? [];
  const titles = [...named.map(({ title, activity }) => ({ title, events: 1, activity })), ...trial.undecided];
  return (
    <section class="part">
      <h2>What the calendar does not say</h2>
      <p class="after">What you fill in goes into the mapping file below, and is not stored.</p>
      <form class="card ask" method="post" action={site.links.path('/publish')}>
        <input type="hidden" name="calendar" value={sent} />
        {wrong.map((sentence) => (
          <p class="wrong" role="alert">
            {sentence}
          </p>
        ))}
        <Field name="site" label="The club’s website" value={typed.site} hint="https://club.example" />
        <Field name="organizer" label="Who organises" value={typed.organizer || (trial.name ?? '')} hint="The club" />
        <Field name="price" label="Usual price in pounds; 0 is free" value={typed.price} hint="4.50" />
        {titles.length === 0 ? null : <Activities titles={titles} />}
        <button class="btn" type="submit">
          Put it into the mapping file
        </button>
      </form>
    </section>
  );
}

function Field({ name, label, value, hint }: { name: string; label: string; value: string; hint: string }): Markup {
  return (
    <div>
      <label for={name}>{label}</label>
      <input id={name} name={name} value={value} placeholder={hint} maxlength={300} autocomplete="off" />
    </div>
  );
}

/** Titles of events that name no activity, each with a field for one. */
function Activities({ titles }: { titles: readonly { title: string; events: number; activity?: string }[] }): Markup {
  return (
    <fieldset>
      <legend>
        Titles that name no activity of <a href={ACTIVITIES}>OpenActive’s list</a>: say what it is where it is a class
        or a session, and it is published
      </legend>
      {titles.slice(0, MOST_TITLES).map(({ title, events, activity }, index) => (
        <div>
          <label for={`a${index}`}>
            <Title title={title} events={events} />
          </label>
          <input type="hidden" name="title" value={title} />
          <input
            id={`a${index}`}
            name="activity"
            value={activity}
            list="activities"
            placeholder="nothing"
            autocomplete="off"
            maxlength={100}
          />
        </div>
      ))}
      {titles.length > MOST_TITLES ? (
        <p class="soft">and {counted(titles.length - MOST_TITLES, 'other title')}, in the file.</p>
      ) : null}
      <datalist id="activities">
        {activityList().concepts.map(({ prefLabel }) => (
          <option value={prefLabel} />
        ))}
      </datalist>
    </fieldset>
  );
}

const ACTIVITIES = 'https://activity-list.openactive.io/';

/** The title of events, and how many have it. */
export function Title({ title, events }: { title: string; events: number }): Markup {
  return (
    <b>
      <bdi>{title}</bdi>
      {events > 1 ? <span class="soft"> ({events} times)</span> : null}
    </b>
  );
}
