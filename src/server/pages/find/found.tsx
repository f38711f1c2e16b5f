import type {
  DayCount,
  Facets,
  FoundPage,
  OccurrenceItem,
  Publisher,
  Suggestions,
  UnderstoodQuery,
} from '../../../library/index.ts';
import type { Filters } from '../../../search/filters.ts';
import type { Day } from '../../../time/days.ts';
import { Hero, SearchForm } from '../frame/band.tsx';
import type { Markup, Piece } from '../frame/markup.tsx';
import type { Site } from '../frame/site.ts';
import type { Asked } from './asked.ts';
import type { Folded } from './folded.ts';

/** What was asked, and what there is of it. */
export interface Found {
  asked: Asked;
  understood: UnderstoodQuery | undefined;
  page: FoundPage<OccurrenceItem>;
  days: readonly DayCount[];
  facets: Facets;
  /** Each series once: what else is on of it, and the day on which what follows begins. */
  folded?: Folded;
  /** Where nothing was found. */
  suggestions?: Suggestions;
  /** Facilities and places that the same words find, where no session was found. */
  venues?: readonly { kind: 'facilities' | 'places'; count: number }[];
  /** What is on at all, where nothing was found. */
  otherwise?: readonly OccurrenceItem[];
  today: Day;
  publishers: readonly Publisher[];
}

/** What facilities and places are found by as well. */
export function aroundOf({ q, near, within }: Filters): Filters {
  return {
    ...(q !== undefined && { q }),
    ...(near !== undefined && { near }),
    ...(within !== undefined && { within }),
  };
}

/** The search in one line, as it was asked. */
export function SearchBand({ site, asked, wrongNear }: { site: Site; asked: Asked; wrongNear?: Piece }): Markup {
  const { kind, nearText, filters } = asked;
  const hidden = kind === 'sessions' ? [] : ([['kind', kind]] as const);
  return (
    <Hero slim>
      <SearchForm site={site} words={{ q: filters.q, near: nearText, wrongNear, hidden }} />
    </Hero>
  );
}
