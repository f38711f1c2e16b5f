<?php
// sabre.php FILE.ics FROM TO: the occurrences as Debian's php-sabre-vobject 2.1 sees them (Nextcloud and Baikal descend
// from it), as JSON lines.
error_reporting(E_ALL & ~E_DEPRECATED);
date_default_timezone_set('UTC');
require_once '/usr/share/php/Sabre/VObject/includes.php';

[, $file, $from, $to] = $argv;
$begin = new DateTime($from);
$finish = new DateTime($to);
$calendar = Sabre\VObject\Reader::read(file_get_contents($file));
// Expands in place; two days more on either side, because it compares some times without their zone.
$calendar->expand((clone $begin)->modify('-2 days'), (clone $finish)->modify('+2 days'));
foreach ($calendar->select('VEVENT') as $event) {
    $start = $event->DTSTART->getDateTime()->getTimestamp();
    $end = isset($event->DTEND) ? $event->DTEND->getDateTime()->getTimestamp() : $start;
    if (!($start < $finish->getTimestamp() && ($end > $begin->getTimestamp() || ($start === $end && $start >= $begin->getTimestamp())))) {
        continue;
    }
    echo json_encode([
        'uid' => (string) $event->UID,
        'start' => gmdate('Y-m-d\TH:i:s\Z', $start),
        'end' => gmdate('Y-m-d\TH:i:s\Z', $end),
        // Version 2 takes the escape off a backslash, and leaves it on commas and semicolons.
        'summary' => strtr((string) $event->SUMMARY, ['\\,' => ',', '\\;' => ';']),
        'status' => (string) $event->STATUS,
    ]), "\n";
}
