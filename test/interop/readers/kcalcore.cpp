// kcalcore FILE.ics FROM TO: the occurrences of every event as KDE's KCalendarCore sees them (KOrganizer's engine, with a
// recurrence engine of its own), as JSON lines.
#include <KCalendarCore/ICalFormat>
#include <KCalendarCore/MemoryCalendar>
#include <KCalendarCore/OccurrenceIterator>
#include <QCoreApplication>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <cstdio>

using namespace KCalendarCore;

static QDateTime utcOf(const char *date) {
  return QDateTime(QDate::fromString(QString::fromLatin1(date), Qt::ISODate), QTime(0, 0), Qt::UTC);
}

static QString statusOf(Incidence::Status status) {
  switch (status) {
    case Incidence::StatusTentative:
      return QStringLiteral("TENTATIVE");
    case Incidence::StatusConfirmed:
      return QStringLiteral("CONFIRMED");
    case Incidence::StatusCanceled:
      return QStringLiteral("CANCELLED");
    default:
      return QString();
  }
}

int main(int count, char **argument) {
  QCoreApplication application(count, argument);
  if (count < 4) return 2;
  QFile file(QString::fromLocal8Bit(argument[1]));
  if (!file.open(QIODevice::ReadOnly)) return 2;
  MemoryCalendar::Ptr calendar(new MemoryCalendar(QTimeZone::utc()));
  ICalFormat format;
  if (!format.fromRawString(calendar, file.readAll())) {
    std::fprintf(stderr, "KCalendarCore cannot parse it\n");
    return 2;
  }
  const QDateTime from = utcOf(argument[2]);
  const QDateTime to = utcOf(argument[3]);
  // An occurrence may begin long before the window and still reach into it, and overrides may have moved into it.
  OccurrenceIterator occurrences(*calendar, from.addDays(-400), to.addDays(60));
  while (occurrences.hasNext()) {
    occurrences.next();
    const auto event = occurrences.incidence().dynamicCast<Event>();
    if (!event) continue;
    const QDateTime start = occurrences.occurrenceStartDate().toUTC();
    // The end of an all-day event is its last day, which is included.
    const QDateTime end = occurrences.occurrenceEndDate().toUTC().addDays(event->allDay() ? 1 : 0);
    if (!(start < to && (end > from || (end == start && start >= from)))) continue;
    const QJsonObject row{{QStringLiteral("uid"), event->uid()},
                          {QStringLiteral("start"), start.toString(Qt::ISODate)},
                          {QStringLiteral("end"), end.toString(Qt::ISODate)},
                          {QStringLiteral("summary"), event->summary()},
                          {QStringLiteral("status"), statusOf(event->status())}};
    std::printf("%s\n", QJsonDocument(row).toJson(QJsonDocument::Compact).constData());
  }
  return 0;
}
