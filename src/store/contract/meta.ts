/** Keys of `meta`. */
export const META = {
  /** The stored day: the only "today" that calendars know (semantics 6). */
  today: 'today',
  /** The last days that were stored when the clock was set (JSON list): the clock was wrong before that, or after. */
  daysBefore: 'days-before',
  /** Version of the rules that records were made with; another one means a rebuild. */
  rules: 'rules',
  /** Fingerprint of the settings and release that calendars were rendered with. */
  rendering: 'rendering',
  /** The last content of dataset sites and catalogues (JSON of `harvest/discovery`): a start needs none of them. */
  discovered: 'discovered',
  /** Who may speak of which `@id`, as all records were last decided by, and how far they are (JSON of `harvest/publishers`). */
  publishers: 'publishers',
  /** Random key for what processes of this store give each other through others' hands (`secretOf`). */
  secret: 'secret',
  /** Who harvested last, and does so still while its lock is held (JSON of `cli/harvest-turn`). */
  harvester: 'harvester',
} as const;
