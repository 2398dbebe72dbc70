"""Single sign-on: an institution's members sign in through its own identity provider."""
