"""Arrays in, arrays out: resampling and what is made of it. This room knows no measure, no file and no label."""
