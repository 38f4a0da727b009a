"""How well do we do on evidence that was labelled by hand? Run `python -m tests.corpora SET FILE`."""
