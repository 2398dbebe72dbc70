"""Templates, and the emails that are written from them."""
