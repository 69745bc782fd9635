"""The papers' figures: how each is drawn, from what its study has found."""
