"""The page: everything that the program has to say about a task, in one file that opens in any browser."""
