package pay.sdk;

import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The pause that a Retry-After asks for, in every form of RFC 9110 (5.6.7, 10.2.3). */
final class RetryAfter {
    /** The longest pause that anybody is granted: a day. */
    private static final int SECONDS_MAX = 86_400;
    private static final List<String> MONTHS = List.of("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec");
    private static final String DAY = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)";
    private static final String MONTH = "(?<month>" + String.join("|", MONTHS) + ")";
    private static final String TIME = "(?<hour>[0-9]{2}):(?<minute>[0-9]{2}):(?<second>[0-9]{2})";
    private static final List<Pattern> FORMS = List.of(
        Pattern.compile(DAY + ", (?<day>[0-9]{2}) " + MONTH + " (?<year>[0-9]{4}) " + TIME + " GMT"),
        Pattern.compile("(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (?<day>[0-9]{2})-" + MONTH + "-(?<year>[0-9]{2}) " + TIME + " GMT"),
        Pattern.compile(DAY + " " + MONTH + " (?<day>[ 0-9][0-9]) " + TIME + " (?<year>[0-9]{4})")
    );

    private RetryAfter() {}

    /** The seconds to wait, at most a day; of several lines the longest. Null if none can be understood. */
    static Integer seconds(Collection<String> lines, Instant now) {
        Integer longest = null;
        for (var line : lines) {
            var seconds = secondsOf(line.replaceAll("^[ \t]+|[ \t]+$", ""), now);
            if (seconds != null && (longest == null || seconds > longest)) {
                longest = seconds;
            }
        }
        return longest;
    }

    private static Integer secondsOf(String text, Instant now) {
        if (text.matches("[0-9]+")) {
            return new BigInteger(text).min(BigInteger.valueOf(SECONDS_MAX)).intValue();
        }
        for (var form : FORMS) {
            var found = form.matcher(text);
            if (found.matches()) {
                var moment = momentOf(found, now);
                return moment == null ? null : (int) Math.min(SECONDS_MAX, Math.max(0, Duration.between(now, moment).plusNanos(999_999_999).toSeconds()));
            }
        }
        return null;
    }

    private static Instant momentOf(Matcher found, Instant now) {
        var year = number(found, "year");
        if (found.group("year").length() == 2) {
            // The year with these digits that is at most fifty years ahead.
            var latest = now.atZone(ZoneOffset.UTC).getYear() + 50;
            year = latest - (latest - year) % 100;
        }
        var hour = number(found, "hour");
        var minute = number(found, "minute");
        var second = number(found, "second");
        // A leap second, 60, is allowed.
        if (hour > 23 || minute > 59 || second > 60) {
            return null;
        }
        try {
            var day = LocalDate.of(year, MONTHS.indexOf(found.group("month")) + 1, number(found, "day"));
            return day.atStartOfDay(ZoneOffset.UTC).toInstant().plusSeconds((hour * 60L + minute) * 60 + second);
        } catch (DateTimeException noSuchDay) {
            return null;
        }
    }

    private static int number(Matcher found, String part) {
        return Integer.parseInt(found.group(part).strip());
    }
}
