/**
 * Limits of the running program: of feeds, bodies, callers and processes, each with the reason for its number. Limits
 * of one reader stand beside it (`opportunity/limits.ts`). Together they are the program's promise to stay alive whatever a
 * feed, a file or a caller sends. What an operator may want to change is a setting (`config.ts`) instead.
 */

const KB = 1024;
const MB = 1024 * KB;
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const LIMITS = {
  /** One FILE, URL or stdin given to a command. The whole of it is held in memory, several times over while it is cleaned. */
  inputBytes: 64 * MB,
  /** The configuration file: written by hand, with a few hundred feeds at most. */
  configBytes: 1 * MB,

  /** Names, TCP and TLS. A server that is up needs a second; the slowest real ones seen need four. */
  connectMs: 10 * SECOND,
  /** Until the status line and headers. Real feeds compute a page of 500 items in up to 15 s when cold. */
  headersMs: 30 * SECOND,
  /** Between two pieces of a body: a drip that keeps a connection open for ever is as dead as no answer. */
  idleMs: 20 * SECOND,
  /**
   * After this a request that has not ended no longer keeps other feeds of its host waiting: three feeds that stall would
   * leave the rest a page a minute. The slowest good pages take as long; six at most are then out at once (totalMs).
   */
  placeMs: 10 * SECOND,
  /** One request with its redirects and its whole body. 20 MB in a minute is a 3 Mbit/s line. */
  totalMs: 60 * SECOND,
  /** Real feeds need one (http to https) or two; browsers stop at 20, miniflux at 10. */
  redirects: 5,
  /** One feed page after decoding. The largest real pages are 1.5 MB (500 items); ten times that, and some. */
  pageBytes: 20 * MB,
  /** A compressed body up to this size is decoded in one go; the largest real pages have 200 KB. Beyond, as it streams. */
  codedBytes: 1 * MB,
  /** Header lines of one answer: undici's own default is 16 KB; nothing real needs more. */
  headerBytes: 16 * KB,
  /** An image of a publisher. Photographs of the largest cameras come in more; no page needs them so. */
  imageBytes: 5 * MB,
  /** One image with its redirects: somebody looks at the page. */
  imageMs: 15 * SECOND,
  /** Images fetched at a time, of all hosts; two of one host. */
  imagesAtOnce: 16,
  /** What was no image, or did not come, is asked for again after so long. */
  imageRetryMs: HOUR,
  /** A calendar that somebody tries on the page `/publish`, once it is decoded: clubs have less than 2 MB. */
  trialBytes: 10 * MB,
  /** How long a trial may take with its redirects: somebody looks at the page. */
  trialMs: 15 * SECOND,
  /** Calendars tried at a time: each has a thread with the memory of one. */
  trialsAtOnce: 2,
  /** A `next` address, and any address a feed leads to. Servers refuse longer ones themselves. */
  urlChars: 8 * KB,

  /** Reading one page on its thread: the largest takes seconds. A thread that does not answer for so long is ended. */
  readMs: 2 * MINUTE,
  /**
   * A visit that takes no step for so long is stopped. The longest honest ones are a page (totalMs, readMs) and a transaction
   * (a second; half a minute where other processes write, minutes on a machine that is overrun).
   */
  stallMs: 10 * MINUTE,
  /** From SIGTERM to the end of the process, whatever it is doing: supervisors kill after 10 to 90 s, so this is reported. */
  endMs: 13 * SECOND,
  /** For writing down that a visit was stopped, where it may be the store that does not answer. */
  stallNoteMs: 5 * SECOND,

  /** Pages of one pass over one feed. The largest real feed has 668; a million items in pages of ten still pass. */
  pagesPerPass: 100_000,
  /**
   * Pages of one feed whose findings are kept, the newest: where each is odd, it is so in the same way. They
   * are read as a whole for one answer.
   */
  findingPages: 100,
  /** Addresses remembered per pass to notice a cycle of `next`; older ones are forgotten, so memory is bounded. */
  visitedPages: 20_000,
  /**
   * Pages without items in a row that end a visit; the next one goes on after them. RPDE knows only the last page as empty;
   * servers that filter after they page send a handful. Without it such pages come as fast as the server answers.
   */
  emptyPages: 100,
  /** RPDE asks to wait 60 to 120 minutes after a 503. */
  unavailableMinMs: 60 * MINUTE,
  unavailableMaxMs: 120 * MINUTE,
  /** First wait after an error; it doubles with every further one, up to an hour. */
  retryFirstMs: 5 * SECOND,
  retryMaxMs: 1 * HOUR,
  /** A Retry-After beyond a day is a mistake of the server, and would park a feed for good. */
  retryAfterMaxMs: 24 * HOUR,
  /** A feed that is gone (404, 410) is visited once a day: publishers do bring them back. */
  goneMs: 24 * HOUR,
  /** RPDE promises deletions for at least seven days, and Slot feeds for two (RPDE issue 93): an older cursor has missed some. */
  cursorMs: 7 * DAY,
  slotCursorMs: 2 * DAY,
  /** Publishers ask not to be read from the start more than once a week (developer.openactive.io, "Harvesting"). */
  resyncMs: 7 * DAY,
  /** A clock further back than what it wrote itself was set: machines that keep time are within seconds. */
  clockSkewMs: 1 * DAY,
  /**
   * What a feed may take away unasked: a twentieth of its calendars or of its sessions. Feeds turn over in weeks, so more at
   * once is a fault more often than a wish. Of twenty, the feed's page tells as much, and small clubs do end their season.
   */
  burstShare: 0.05,
  burstLosses: 20,
  /** A job that empties a table row by row is done within the hour; what takes longer counts as a day's work. */
  burstMs: 1 * HOUR,
  /** How soon an operator's command on a feed works: confirm, retry, resume. It is read from the store, and costs no publisher anything. */
  confirmMs: 5 * SECOND,
  /** The longest that an answer's own word that it is fresh is believed: RPDE's for pages that are not the last. */
  freshMaxMs: 1 * HOUR,
  /** When an end that a cache had kept for a while is read again where no header states how long it is kept: caches take a minute. */
  agedEndMs: 1 * MINUTE,
  /** Visits at the tail without news before the pace slows down: about a minute of them. */
  quietVisits: 8,
  /** First visits of many feeds are spread out by this much each, so that a start is no burst of requests, up to a minute. */
  firstVisitMs: 200,
  firstVisitsMs: 1 * MINUTE,
  /** A feed at its tail is visited every few seconds; that it was is written down as often as anybody would read it. */
  noteMs: 1 * MINUTE,
  /** Tries of one page in a single pass (`sync`, `check`) before the feed counts as failed. */
  triesPerPage: 3,
  /** Longest wait between two of these: somebody is waiting for the pass. */
  retryWaitMs: 10 * SECOND,
  /** Longest wait between two tries of `check`, where a wrong address is the likeliest cause. */
  checkRetryWaitMs: 1 * SECOND,
  /** Sessions, series, facilities and slots that `check` keeps to join them: 1 KB each at most, so 400 MB. The largest feed has 301,572. */
  checkRecords: 400_000,

  /** One message to `notifyUrl`: chat services answer within three seconds. */
  notifyMs: 10 * SECOND,
  /** Between two of them: chat services take one a second. */
  notifyPauseMs: 1 * SECOND,
  /** Feeds in one of them: with a line of 300 characters each half of what chat services show (40,000). */
  notifyFeeds: 60,
  /** A feed that fails once is asked again within this time; only then is it worth a message. */
  notifyDoubtMs: 1 * MINUTE,

  /** A dataset site or a catalogue: the common template has 50 KB, the largest catalogue a few hundred addresses. */
  sitePageBytes: 5 * MB,
  /** Addresses of catalogues and dataset sites that settings may lead to. The whole of OpenActive has 180. */
  sitePages: 2000,
  /** From a collection to its catalogues to dataset sites are three steps; the others are for who nests more. */
  siteLevels: 6,
  /** Feeds that dataset sites may name. The whole of OpenActive has 475. */
  discoveredFeeds: 5000,
  /** Dataset sites asked at once, each of another host: they are many, small and often slow. */
  sitesAtOnce: 8,
  /** Objects within objects of JSON-LD. Real ones have four levels. */
  jsonLdDepth: 16,
  /** How often dataset sites are read again: they change a few times a year. */
  siteMs: 24 * HOUR,

  /**
   * Items and pages after which a transaction takes no further page in. What they say is in memory until it ends, and others
   * who write wait for it, a second at most.
   */
  commitItems: 8_000,
  commitPages: 16,
  /** Feeds of one host that a single pass reads side by side: enough that the next page is there while one is read. */
  feedsAtOnce: 4,
  /** Pages that are read and wait for a transaction, of all feeds: reading goes on while a long one is under way. */
  pagesWaiting: 24,
  /** Octets of pages that are read and not stored yet, of all feeds: those of two transactions, and some. Read, each takes four times as much. */
  pagesOctets: 8 * MB,
  /** Octets of bodies that came and wait until their pages may be read, of all feeds: as they came, compressed or not. */
  bodiesOctets: 16 * MB,
  /** Publishers take up to a second for a page. Who takes longer is no longer counted among those that are about to answer. */
  responseExpectedMs: 2_000,
  /** Pages with which a transaction begins: fewer cost more each, and for more of them whoever writes would be idle. */
  pagesTogether: 3,
  /** How long fewer pages than that wait for those that follow, in milliseconds: as long as a slow server takes for the next one. */
  lingerMs: 300,
  /** How long one transaction waits for those of other processes: theirs take a second at most, a rebuild minutes. */
  lockMs: 30 * SECOND,
  /**
   * One statement of a transaction, which takes seconds where a database is overrun. A connection that is half open gives no
   * answer and no error for a quarter of an hour. After so long in a transaction no lease is renewed either.
   */
  writeMs: 5 * MINUTE,
  /** How often a web process asks for the versions. With `versionsKeepMs` it is under two seconds: soon enough to seem at once. */
  followMs: 0.9 * SECOND,
  /** How often a harvester puts the versions into the cache, and for how long after they were read they are found there. */
  versionsMs: 0.4 * SECOND,
  versionsKeepMs: 1 * SECOND,
  /** For so long a web process believes a cache that has the versions it knows. */
  versionsBelievedMs: 10 * SECOND,
  /** How often the whole database is read for damage: a gigabyte takes some seconds of a disk. */
  checkMs: 24 * HOUR,
  /** How often a process that harvests a PostgreSQL looks whether that is due, for whichever of them did it last. */
  checkDueMs: HOUR,
  /** How often OpenActive's vocabularies are asked for: they change a few times a year. */
  vocabulariesMs: 24 * HOUR,
  /** And how long after the start for the first time: programs that start again and again ask nobody. */
  vocabulariesFirstMs: HOUR,
  /** One of them; the longest has 300 KB. */
  vocabularyBytes: 5 * MB,
  /** How often the clock is compared with the stored day. */
  rollMs: 5 * MINUTE,

  /** How long a web process waits for the store's key, which whoever harvests makes soon after the store. */
  secretMs: 10 * SECOND,
  /** One value of a shared cache, and what it decodes to: four times the largest calendar that is served. */
  sharedBytes: 4 * MB,
  /** How long a lease holds that is not renewed, and how often it is: a process that died or was stopped loses its feeds. */
  leaseMs: 20 * SECOND,
  leaseRenewMs: 5 * SECOND,
  /** How often a process that only serves checks whether the one that harvests has ended. */
  takeOverMs: 5 * SECOND,
  /** The pause before a harvester that ended unasked is started again; it doubles, up to a minute, which is also a good run. */
  restartFirstMs: 1 * SECOND,
  restartMaxMs: 1 * MINUTE,
  /** How long a child process that was asked to end is waited for: a supervisor kills everything after thirty. */
  childEndMs: 12 * SECOND,
  /** How often a child process checks whether its parent is there, beside the channel between them. */
  parentMs: 1 * SECOND,
  /** The terminal and npm both hand one Ctrl-C on within milliseconds; a person who means two takes longer. */
  signalRepeatMs: 0.5 * SECOND,
  /**
   * What one answer may take that is computed for a request: a calendar that is not in memory, a page, a search. The slowest
   * that are honest take a fifth of a second; after five, whoever asked has gone.
   */
  answerMs: 5 * SECOND,
  /** Requests that wait for it: more would wait longer than that. */
  answersWaiting: 64,
  /**
   * How long a calendar that is not in memory is waited for, by calendar programs that wait for half a minute. A thread that
   * starts on a busy machine, or a database that is started again, is there within seconds. And how often the latter is asked.
   */
  calendarMs: 15 * SECOND,
  awayTryMs: 0.5 * SECOND,
  /** How long a calendar that took longer is served as it was, before it is tried again. */
  overdueMs: 1 * MINUTE,
  /** Memory of a thread that computes them, in megabytes: the largest calendars need 100. */
  answerMb: 512,

  http: {
    /** Half a gigabyte of sockets and buffers at the worst; a thousand subscribers a second need some hundred. */
    connections: 2000,
    /** A quarter of them: nobody has all, and an office behind one address has enough. */
    connectionsEach: 500,
    /** Slow telephones need five seconds. */
    headersMs: 20 * SECOND,
    /** What is sent here is small: lists (16 KB), forms of `/publish` (32 KB) and of the admin address (1 KB), CalDAV (256 KB). */
    requestMs: 30 * SECOND,
    checkingMs: 5 * SECOND,
    /** Who takes nothing of an answer for so long has gone. */
    stillMs: 2 * MINUTE,
    /** Browsers send 2 KB, with cookies of others 8. */
    headerBytes: 16 * KB,
  },

  dav: {
    /** The body of a CalDAV request: a thousand addresses of 200 characters, and room for a filter. */
    requestBytes: 256 * KB,
    /** Elements within elements. The deepest real filters have eight. */
    depth: 16,
    /** Elements of one body, the addresses of a multiget among them. */
    elements: 4000,
    /** Attributes of one element: those of CalDAV have three, and one for each namespace. */
    attributes: 32,
    /** Addresses of one multiget. Programs send 10 to 100 at a time. */
    hrefs: 1000,
    /** Conditions of one filter: each is asked of each object. Programs send four. */
    filters: 50,
    /** Instances that one `expand` writes, and periods of one free/busy: six years of a dozen a day. */
    instances: 25_000,
    /** What `max-resource-size` says: the largest object of a year of sessions has a tenth. */
    objectBytes: 1 * MB,
    /** One answer, and so what it holds of memory: 20,000 objects of an initial sync take 7 MB. */
    answerBytes: 16 * MB,
  },

  /** Files of one folder feed, and their bytes each: a folder is read by name order, in memory one at a time. */
  folderFiles: 100_000,

  /** How long a deleted object stays in a published feed: RPDE 1.0 asks for 7 days, after which readers start anew. */
  tombstoneMs: 7 * 24 * HOUR,
  /** Items of a page of a published feed: what RPDE 1.0 proposes, and rpde-validator asks for at least. */
  pageItems: 500,
  /** A calendar that loses fewer events than this at once is believed: a club does end a few classes in one go. */
  suspiciousLoss: 5,
  /** How long a calendar has to go on without most of its events before they are withdrawn: longer than an outage's first hour. */
  doubtMs: 1 * HOUR,
  /** Files of calendars named at once, folders included: each is held in memory. */
  calendarFiles: 1000,

  /**
   * Sessions of one series that an explanation reads, and the calendar of a series with rules: a year of a dozen a day. All are
   * read and matched for one answer.
   */
  explainedSessions: 5_000,
} as const;
