"""Identity of users: accounts, sign-in, second factors, sessions, password resets."""
