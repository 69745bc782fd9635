"""Results made again from their signatures."""
