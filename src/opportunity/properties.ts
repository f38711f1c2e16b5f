/**
 * One row a property of a series, session or facility. The table drives how a property is read (details.ts), inherited
 * (records.ts) and compared (event/session.ts). It drives how one is shown in calendars (calendar/wording) and on pages
 * (server/pages/series), written back (publish/feed) and described in the JSON schema (server/api). A property is added by one
 * row here, and one case in the test of this table. The page docs/architecture.md, "How a property of a series, session or
 * facility is added", lists the needs of a new `kind` of value.
 */

/** A person or body: `organizer` of the Event family, `provider` of a facility. */
export interface Organization {
  id?: string;
  name?: string;
  url?: string;
  email?: string;
  telephone?: string;
}

/** A price. `price` is in units of `currency` (ISO 4217). */
export interface Offer {
  name?: string;
  price?: number;
  currency?: string;
  url?: string;
}

/** The properties of a place that an event needs. `id` is the identity of the Place record. */
export interface PlaceSummary {
  id?: string;
  name?: string;
  /** One line, parts joined by ", ". */
  address?: string;
  latitude?: number;
  longitude?: number;
  url?: string;
  telephone?: string;
  /** IANA zone of its country, if it has only one, where the coordinates show none. */
  zone?: string;
}

/** The type of a property once it is read, by the kind of its row. */
export interface Kinds {
  line: string;
  /** Plain text, `\n` between lines; HTML is already text. */
  lines: string;
  /** Plain text without line ends, as long as `lines`. */
  text: string;
  /** An http(s) address. */
  url: string;
  /** Concepts by their labels. */
  concepts: string[];
  /** Concepts of `activity` and `facilityType`. */
  activities: string[];
  /** Concepts that are written as texts. */
  labels: string[];
  people: string[];
  organization: Organization;
  brand: { name?: string; url?: string };
  ages: { min?: number; max?: number };
  /** `NoRestriction` is kept only in objects that inherit, where it replaces a restriction. */
  gender: 'FemaleOnly' | 'MaleOnly' | 'NoRestriction';
  attendance: 'offline' | 'online' | 'mixed';
  place: PlaceSummary;
  /** Courts, studios or halls within the location: `Court 1, Court 2`. */
  room: string;
  virtual: { name?: string; url?: string; description?: string };
  capacity: number;
  offers: Offer[];
}

export type Kind = keyof Kinds;

export interface Property {
  kind: Kind;
  /** Names in feeds, if not that of the row. The first with a usable value is read; the first of the list is written. */
  from?: readonly [string, ...string[]];
  /** A name among `from` that the model does not have, which gives a finding. */
  misnamed?: string;
  /** The label of its line in the description of an event. */
  label?: string;
  /** The term of its fact on the page of a series, where that is not `label`. */
  fact?: string;
  /** Whether it is read in part, so that a session may differ from its series in the rest. */
  partial?: true;
  /** Inherited from a series by its sessions, never from an EventSeries by a series. */
  bySessionsOnly?: true;
}

/** The properties, in the order of the lines of a description. */
export const PROPERTIES = {
  name: { kind: 'line' },
  description: { kind: 'lines', from: ['description', 'beta:formattedDescription'] },
  activity: {
    kind: 'activities',
    from: ['activity', 'activities', 'facilityType'],
    misnamed: 'activities',
    fact: 'Activity',
  },
  category: { kind: 'labels' },
  offers: {
    kind: 'offers',
    from: ['offers', 'offer', 'isAccessibleForFree'],
    misnamed: 'offer',
    label: 'Price',
    partial: true,
    bySessionsOnly: true,
  },
  programme: { kind: 'brand', label: 'Programme', partial: true },
  leader: { kind: 'people', label: 'Leader', fact: 'Led by' },
  level: { kind: 'labels', from: ['level', 'beta:level'], label: 'Level' },
  ageRange: { kind: 'ages', label: 'Ages' },
  gender: { kind: 'gender', from: ['genderRestriction'], label: 'For', fact: 'Open to' },
  location: { kind: 'place' },
  room: { kind: 'room', from: ['beta:sportsActivityLocation'], label: 'Where', fact: 'Room', partial: true },
  meetingPoint: { kind: 'line', label: 'Meeting point' },
  virtualLocation: {
    kind: 'virtual',
    from: ['beta:virtualLocation', 'virtualLocation'],
    label: 'Online',
    partial: true,
  },
  attendance: { kind: 'attendance', from: ['eventAttendanceMode'], label: 'Online' },
  schedulingNote: { kind: 'line', label: 'Note' },
  attendeeInstructions: { kind: 'lines', label: 'Instructions' },
  accessibilitySupport: { kind: 'concepts', label: 'Accessibility support', fact: 'Access' },
  accessibilityInformation: { kind: 'text', label: 'Accessibility' },
  organizer: { kind: 'organization', from: ['organizer', 'provider'], label: 'Organiser' },
  maximumAttendeeCapacity: { kind: 'capacity', fact: 'Room for' },
  image: { kind: 'url' },
} as const satisfies Record<string, Property>;

/** Everything that a child inherits from its parent (semantics 2). Absent means "not stated", never "empty". */
export type Details = { -readonly [K in keyof typeof PROPERTIES]?: Kinds[(typeof PROPERTIES)[K]['kind']] };

/** A row with its name in the records. */
export interface Row extends Property {
  name: keyof Details;
  from: readonly [string, ...string[]];
}

export const ROWS: readonly Row[] = Object.entries<Property>(PROPERTIES).map(
  ([name, row]) => ({ from: [name], ...row, name }) as Row,
);

/** A function for the values of each kind. */
export type ByKind<Given extends unknown[], Result> = {
  readonly [K in Kind]: (value: Kinds[K], ...given: Given) => Result;
};
