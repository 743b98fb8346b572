"""The printed felt of a table, with what stands on it, as a picture of the table plane."""
