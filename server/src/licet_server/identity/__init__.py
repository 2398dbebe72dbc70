"""Who users are: accounts, sign-in, second factors, sessions, password resets."""
