"""What programs of cuPyNumeric take from Legate: the clock."""
