"""Templates, and the e-mails that are written from them."""
