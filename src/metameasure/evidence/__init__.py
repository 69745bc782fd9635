"""The only room that touches items: it reduces gold and outputs to what measures need."""
