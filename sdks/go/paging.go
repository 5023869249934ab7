package pay

import "encoding/json"

// ListPage is a page of a list, newest first.
type ListPage[T any] struct {
	Items []T `json:"items"`
	// Pass it as PageToken of the next call; empty on the last page.
	NextPageToken string `json:"nextPageToken"`
}

// UnmarshalJSON fails if there are no items, not even none: then it is no page.
func (p *ListPage[T]) UnmarshalJSON(text []byte) error {
	var own struct {
		Items         []T    `json:"items"`
		NextPageToken string `json:"nextPageToken"`
	}
	if err := json.Unmarshal(text, &own); err != nil {
		return err
	}
	if own.Items == nil {
		return errNotFromAPI
	}
	p.Items, p.NextPageToken = own.Items, own.NextPageToken
	return nil
}

// Items are the items of a list over all its pages: call Next until it is false, then look at Err.
type Items[T any] struct {
	readPage func(pageToken string) (*ListPage[T], error)
	page     *ListPage[T]
	next     int
	err      error
}

// EveryItem reads page after page, each when it is needed. readPage makes the call with a page token that is empty for the
// first page.
func EveryItem[T any](readPage func(pageToken string) (*ListPage[T], error)) *Items[T] {
	return &Items[T]{readPage: readPage}
}

// Next moves to the next item. It is false after the last one, and after an error.
func (i *Items[T]) Next() bool {
	for i.err == nil && (i.page == nil || i.next == len(i.page.Items)) {
		token := ""
		if i.page != nil {
			token = i.page.NextPageToken
			if token == "" {
				return false
			}
		}
		i.page, i.err = i.readPage(token)
		i.next = 0
	}
	if i.err != nil {
		return false
	}
	i.next++
	return true
}

// Item returns the item that Next moved to.
func (i *Items[T]) Item() T {
	return i.page.Items[i.next-1]
}

// Err returns the error that ended the list early, if there was one.
func (i *Items[T]) Err() error {
	return i.err
}
