<?php
// availability.php FILE FROM TO: busy time of every VAVAILABILITY in a calendar, as `SUMMARY<TAB>BUSYTYPE START END` lines.
// Steps through rules day by day as sabre/vobject 4 does for free/busy: DateTimeImmutable::modify('+1 days'), the length
// added as a difference; EXDATE, RDATE and RECURRENCE-ID are not looked at, and neither is PRIORITY.
error_reporting(E_ALL & ~E_DEPRECATED);
require '/usr/share/php/Sabre/VObject/includes.php';

const DAYS = ['SU' => '0', 'MO' => '1', 'TU' => '2', 'WE' => '3', 'TH' => '4', 'FR' => '5', 'SA' => '6'];
$utc = new DateTimeZone('UTC');

function at($property, $utc) {
    $zone = isset($property['TZID']) ? new DateTimeZone((string) $property['TZID']) : $utc;
    return new DateTimeImmutable((string) $property, $zone);
}

function open($component, $last, $utc) {
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
    return $periods;
}

[, $file, $from, $to] = $argv;
$text = fn ($at) => gmdate('Y-m-d\TH:i:s\Z', $at);
foreach (Sabre\VObject\Reader::read(file_get_contents($file))->select('VAVAILABILITY') as $component) {
    $at = max(strtotime("{$from}T00:00:00Z"), at($component->DTSTART, $utc)->getTimestamp());
    $last = min(strtotime("{$to}T00:00:00Z"), at($component->DTEND, $utc)->getTimestamp());
    // Version 2 leaves the escape on commas and semicolons.
    $name = strtr((string) $component->SUMMARY, ['\\,' => ',', '\\;' => ';']);
    foreach ([...open($component, $last, $utc), [$last, $last]] as [$start, $end]) {
        if ($start > $at) echo "$name\t{$component->BUSYTYPE} {$text($at)} {$text(min($start, $last))}\n";
        $at = max($at, $end);
        if ($at >= $last) break;
    }
}
