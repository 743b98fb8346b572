"""Tables as they are played: frames read and observed, events to the table's desk, pictures for the pages."""
