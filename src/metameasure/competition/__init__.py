"""A shared task on a platform: the bundle that sets it up, and the program that scores submissions there."""
