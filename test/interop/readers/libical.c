/* libical FILE.ics FROM TO: the occurrences of every VEVENT as libical 3 sees them, as JSON lines.
   libical applies RRULE, EXDATE and RDATE; overrides are printed as rows of their own, and the instances they replace are
   left out here, because icalcomponent_foreach_recurrence() does not look at RECURRENCE-ID.
   libical FILE.ics --check: prints what icalrestriction_check() and the parser object to; exit code 1 if anything. */
#include <libical/ical.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static time_t window_start, window_end;
static icalcomponent *calendar;

static void print_text(const char *text) {
  putchar('"');
  for (; text && *text; text++) {
    if (*text == '"' || *text == '\\') printf("\\%c", *text);
    else if ((unsigned char)*text < 32) printf("\\u%04x", *text);
    else putchar(*text);
  }
  putchar('"');
}

static void print_time(time_t at) {
  struct tm utc;
  char text[32];
  gmtime_r(&at, &utc);
  strftime(text, sizeof text, "\"%Y-%m-%dT%H:%M:%SZ\"", &utc);
  fputs(text, stdout);
}

static void print_row(icalcomponent *event, time_t start, time_t end) {
  if (!(start < window_end && (end > window_start || (start == end && start >= window_start)))) return;
  icalproperty *status = icalcomponent_get_first_property(event, ICAL_STATUS_PROPERTY);
  printf("{\"uid\":");
  print_text(icalcomponent_get_uid(event));
  printf(",\"start\":");
  print_time(start);
  printf(",\"end\":");
  print_time(end);
  printf(",\"summary\":");
  print_text(icalcomponent_get_summary(event));
  printf(",\"status\":");
  print_text(status ? icalproperty_get_value_as_string(status) : "");
  printf("}\n");
}

static time_t to_time(struct icaltimetype at) {
  return icaltime_as_timet_with_zone(at, at.zone ? at.zone : icaltimezone_get_utc_timezone());
}

/* libical keeps the TZID of a RECURRENCE-ID as a parameter only. */
static time_t recurrence_time(icalcomponent *event) {
  struct icaltimetype at = icalcomponent_get_recurrenceid(event);
  icalproperty *property = icalcomponent_get_first_property(event, ICAL_RECURRENCEID_PROPERTY);
  icalparameter *tzid = icalproperty_get_first_parameter(property, ICAL_TZID_PARAMETER);
  if (!at.zone && tzid) at.zone = icalcomponent_get_timezone(calendar, icalparameter_get_tzid(tzid));
  return to_time(at);
}

static int is_override(icalcomponent *event) {
  return icalcomponent_get_first_property(event, ICAL_RECURRENCEID_PROPERTY) != NULL;
}

static int compare(const void *a, const void *b) {
  time_t left = *(const time_t *)a, right = *(const time_t *)b;
  return left < right ? -1 : left > right;
}

/* Original starts of the overrides of the master at hand, sorted. */
static time_t *replaced;
static size_t replaced_count;

static void collect_replaced(const char *uid) {
  replaced_count = 0;
  for (icalcompiter i = icalcomponent_begin_component(calendar, ICAL_VEVENT_COMPONENT); icalcompiter_deref(&i); icalcompiter_next(&i)) {
    icalcomponent *event = icalcompiter_deref(&i);
    if (is_override(event) && strcmp(icalcomponent_get_uid(event), uid) == 0) replaced[replaced_count++] = recurrence_time(event);
  }
  qsort(replaced, replaced_count, sizeof *replaced, compare);
}

static void on_instance(icalcomponent *event, struct icaltime_span *span, void *unused) {
  (void)unused;
  time_t start = span->start;
  /* The span of an all-day event ends with the last second of the day of DTEND, which is not included any more. */
  int is_date = icalcomponent_get_dtstart(event).is_date;
  time_t end = is_date ? to_time(icalcomponent_get_dtend(event)) : span->end;
  if (!bsearch(&start, replaced, replaced_count, sizeof *replaced, compare)) print_row(event, start, end);
}

static int check(void) {
  int bad = 0;
  icalrestriction_check(calendar);
  char *text = icalcomponent_as_ical_string_r(calendar);
  for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
    if (strncmp(line, "X-LIC-ERROR", 11) == 0) {
      puts(line);
      bad = 1;
    }
  }
  free(text);
  return bad || icalcomponent_count_errors(calendar) > 0;
}

static time_t utc_of(const char *date) {
  struct tm at = {0};
  sscanf(date, "%d-%d-%d", &at.tm_year, &at.tm_mon, &at.tm_mday);
  at.tm_year -= 1900;
  at.tm_mon -= 1;
  return timegm(&at);
}

static char *read_all(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  fseek(file, 0, SEEK_END);
  long length = ftell(file);
  rewind(file);
  char *text = calloc(length + 1, 1);
  if (fread(text, 1, length, file) != (size_t)length) return NULL;
  fclose(file);
  return text;
}

int main(int count, char **argument) {
  char *text = count > 2 ? read_all(argument[1]) : NULL;
  calendar = text ? icalparser_parse_string(text) : NULL;
  if (!calendar) {
    fprintf(stderr, "libical cannot parse it\n");
    return 2;
  }
  if (strcmp(argument[2], "--check") == 0) return check();
  window_start = utc_of(argument[2]);
  window_end = utc_of(argument[3]);
  replaced = calloc(icalcomponent_count_components(calendar, ICAL_VEVENT_COMPONENT) + 1, sizeof *replaced);
  icaltimezone *utc = icaltimezone_get_utc_timezone();
  struct icaltimetype from = icaltime_from_timet_with_zone(window_start - 2 * 86400, 0, utc);
  struct icaltimetype to = icaltime_from_timet_with_zone(window_end + 2 * 86400, 0, utc);
  for (icalcompiter i = icalcomponent_begin_component(calendar, ICAL_VEVENT_COMPONENT); icalcompiter_deref(&i); icalcompiter_next(&i)) {
    icalcomponent *event = icalcompiter_deref(&i);
    if (is_override(event)) {
      print_row(event, to_time(icalcomponent_get_dtstart(event)), to_time(icalcomponent_get_dtend(event)));
    } else {
      collect_replaced(icalcomponent_get_uid(event));
      icalcomponent_foreach_recurrence(event, from, to, on_instance, NULL);
    }
  }
  return 0;
}
