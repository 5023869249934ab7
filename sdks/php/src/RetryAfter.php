<?php

declare(strict_types=1);

namespace Pay\Sdk;

/** The pause that the lines of a Retry-After ask for, in each form of RFC 9110 (5.6.7, 10.2.3). @internal */
final class RetryAfter
{
    /** The longest pause that anybody is granted: a day. */
    private const SECONDS_MAX = 86_400;
    private const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
    private const TIME = '(?<hour>\d{2}):(?<minute>\d{2}):(?<second>\d{2})';
    private const DAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
    private const MONTH = '(?<month>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
    private const FORMS = [
        '/^' . self::DAY . ', (?<day>\d{2}) ' . self::MONTH . ' (?<year>\d{4}) ' . self::TIME . ' GMT$/D',
        '/^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (?<day>\d{2})-' . self::MONTH . '-(?<year>\d{2}) ' . self::TIME . ' GMT$/D',
        '/^' . self::DAY . ' ' . self::MONTH . ' (?<day>[ \d]\d) ' . self::TIME . ' (?<year>\d{4})$/D',
    ];

    /** @param list<string> $lines of several, the longest counts */
    public static function seconds(array $lines, int $now): ?int
    {
        $asked = array_filter(array_map(static fn (string $line) => self::of(trim($line, " \t"), $now), $lines), is_int(...));
        return $asked === [] ? null : min(self::SECONDS_MAX, max($asked));
    }

    private static function of(string $text, int $now): ?int
    {
        if (preg_match('/^\d+$/D', $text) === 1) {
            return (int) $text; // what has more digits is the largest integer
        }
        foreach (self::FORMS as $form) {
            if (preg_match($form, $text, $found) === 1) {
                $moment = self::moment($found, $now);
                return $moment === null ? null : max(0, $moment - $now);
            }
        }
        return null;
    }

    /** @param array<string> $found */
    private static function moment(array $found, int $now): ?int
    {
        [$year, $day] = [(int) $found['year'], (int) $found['day']];
        if (strlen($found['year']) === 2) {
            // The year with these digits that is at most fifty years ahead.
            $latest = (int) gmdate('Y', $now) + 50;
            $year = $latest - ($latest - $year) % 100;
        }
        $month = (int) array_search($found['month'], self::MONTHS, true) + 1;
        [$hour, $minute, $second] = [(int) $found['hour'], (int) $found['minute'], (int) $found['second']];
        // A leap second, 60, is allowed.
        if ($year < 1 || !checkdate($month, $day, $year) || $hour > 23 || $minute > 59 || $second > 60) {
            return null;
        }
        return (new \DateTimeImmutable(sprintf('%04d-%02d-%02dT00:00:00Z', $year, $month, $day)))->getTimestamp() + ($hour * 60 + $minute) * 60 + $second;
    }
}
