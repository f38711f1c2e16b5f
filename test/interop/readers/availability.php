<?php
// availability.php FILE FROM TO: open time of the VAVAILABILITY in a calendar, as `START END` lines in UTC.
// Steps through rules day by day as sabre/vobject 4 does for free/busy: DateTimeImmutable::modify('+1 days'), the length
// added as a difference; EXDATE, RDATE and RECURRENCE-ID are not looked at.
error_reporting(E_ALL & ~E_DEPRECATED);
require '/usr/share/php/Sabre/VObject/includes.php';

const DAYS = ['SU' => '0', 'MO' => '1', 'TU' => '2', 'WE' => '3', 'TH' => '4', 'FR' => '5', 'SA' => '6'];
$utc = new DateTimeZone('UTC');

function at($property, $utc) {
    $zone = isset($property['TZID']) ? new DateTimeZone((string) $property['TZID']) : $utc;
    return new DateTimeImmutable((string) $property, $zone);
}

[, $file, $from, $to] = $argv;
$component = Sabre\VObject\Reader::read(file_get_contents($file))->VAVAILABILITY;
$first = max(strtotime("{$from}T00:00:00Z"), at($component->DTSTART, $utc)->getTimestamp());
$last = min(strtotime("{$to}T00:00:00Z"), at($component->DTEND, $utc)->getTimestamp());
$periods = [];
foreach ($component->select('AVAILABLE') as $available) {
    $start = at($available->DTSTART, $utc);
    $length = $start->diff(at($available->DTEND, $utc));
    $periods[] = [$start->getTimestamp(), $start->add($length)->getTimestamp()];
    if (!isset($available->RRULE)) continue;
    parse_str(str_replace(';', '&', (string) $available->RRULE), $rule);
    $until = isset($rule['UNTIL']) ? strtotime($rule['UNTIL']) : PHP_INT_MAX;
    $days = array_map(fn ($day) => DAYS[$day], explode(',', $rule['BYDAY']));
    for ($count = 1; ; $count++) {
        do { $start = $start->modify('+1 days'); } while (!in_array($start->format('w'), $days));
        if ($start->getTimestamp() > min($until, $last) || $count >= (int) ($rule['COUNT'] ?? PHP_INT_MAX)) break;
        $periods[] = [$start->getTimestamp(), $start->add($length)->getTimestamp()];
    }
}
sort($periods);
$merged = [];
foreach ($periods as [$start, $end]) {
    [$start, $end] = [max($start, $first), min($end, $last)];
    if ($start >= $end) continue;
    $end = max($end, $merged ? $merged[count($merged) - 1][1] : 0);
    if ($merged && $start <= $merged[count($merged) - 1][1]) $merged[count($merged) - 1][1] = $end;
    else $merged[] = [$start, $end];
}
foreach ($merged as [$start, $end]) echo gmdate('Y-m-d\TH:i:s\Z', $start), ' ', gmdate('Y-m-d\TH:i:s\Z', $end), "\n";
