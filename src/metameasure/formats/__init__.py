"""Files: any of them becomes a frame with the columns of the interface, or an error that says what is wrong and where."""

from metameasure.moved import keep_old_names

keep_old_names(__name__)
