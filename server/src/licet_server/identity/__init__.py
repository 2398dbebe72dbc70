"""Who somebody is: users, sign-in, second factors, sessions, password resets."""
