"""The formats that results are written in, one file each: every ``OutputFormat`` in a file here can be asked for by its name."""
