package pay

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// The longest pause that anybody is granted.
const retryAfterLimit = 24 * time.Hour

var (
	deltaSeconds = regexp.MustCompile(`^[0-9]+$`)
	// IMF-fixdate, and the two obsolete forms that a recipient has to read all the same: RFC 9110, 5.6.7.
	httpDates = []*regexp.Regexp{
		regexp.MustCompile(`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (?P<day>[0-9]{2}) (?P<month>[A-Z][a-z]{2}) (?P<year>[0-9]{4}) (?P<hour>[0-9]{2}):(?P<minute>[0-9]{2}):(?P<second>[0-9]{2}) GMT$`),
		regexp.MustCompile(`^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (?P<day>[0-9]{2})-(?P<month>[A-Z][a-z]{2})-(?P<year>[0-9]{2}) (?P<hour>[0-9]{2}):(?P<minute>[0-9]{2}):(?P<second>[0-9]{2}) GMT$`),
		regexp.MustCompile(`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (?P<month>[A-Z][a-z]{2}) (?P<day>[ 0-9][0-9]) (?P<hour>[0-9]{2}):(?P<minute>[0-9]{2}):(?P<second>[0-9]{2}) (?P<year>[0-9]{4})$`),
	}
)

// The pause that the lines of a Retry-After ask for, in every form of RFC 9110 (10.2.3), at most a day; of several lines
// the longest. Nil if none can be understood.
func retryAfter(lines []string, now time.Time) *time.Duration {
	var longest *time.Duration
	for _, line := range lines {
		wait, isKnown := waitOf(strings.Trim(line, " \t"), now)
		if wait > retryAfterLimit {
			wait = retryAfterLimit
		}
		if isKnown && (longest == nil || wait > *longest) {
			own := wait
			longest = &own
		}
	}
	return longest
}

func waitOf(text string, now time.Time) (time.Duration, bool) {
	if deltaSeconds.MatchString(text) {
		seconds, _ := strconv.ParseUint(text, 10, 30) // Of more digits, the largest.
		return time.Duration(seconds) * time.Second, true
	}
	for _, form := range httpDates {
		found := form.FindStringSubmatch(text)
		if found == nil {
			continue
		}
		part := func(name string) string { return strings.TrimSpace(found[form.SubexpIndex(name)]) }
		number := func(name string) int {
			value, _ := strconv.Atoi(part(name)) // Digits alone.
			return value
		}
		month, err := time.Parse("Jan", part("month"))
		hour, minute, second, year := number("hour"), number("minute"), number("second"), number("year")
		if len(part("year")) == 2 {
			// The year with these digits that is at most fifty years ahead.
			latest := now.UTC().Year() + 50
			year = latest - (latest-year)%100
		}
		day := time.Date(year, month.Month(), number("day"), 0, 0, 0, 0, time.UTC)
		// A leap second, 60, is allowed.
		if err != nil || day.Day() != number("day") || hour > 23 || minute > 59 || second > 60 {
			return 0, false
		}
		moment := day.Add(time.Duration((hour*60+minute)*60+second) * time.Second)
		if !moment.After(now) {
			return 0, true
		}
		if moment.Unix()-now.Unix() > int64(retryAfterLimit/time.Second) {
			return retryAfterLimit, true
		}
		return moment.Sub(now), true
	}
	return 0, false
}
