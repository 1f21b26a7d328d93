"""One module a page of the browser."""
