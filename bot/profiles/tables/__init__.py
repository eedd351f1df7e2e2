"""Tables of people: a row a person, or several, under a line of headers."""
