package pay

import "encoding/json"

// MarshalJSON writes AcceptedAt in UTC, whatever its location: the service refuses every other zone.
func (c RecurringConsent) MarshalJSON() ([]byte, error) {
	type consent RecurringConsent
	if c.AcceptedAt != nil {
		utc := c.AcceptedAt.UTC()
		c.AcceptedAt = &utc
	}
	return json.Marshal(consent(c))
}
