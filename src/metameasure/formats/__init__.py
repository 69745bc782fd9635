"""Files: any of them becomes a frame with the columns of the interface, or an error that says what is wrong and where."""
