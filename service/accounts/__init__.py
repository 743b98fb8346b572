"""Who may do what: accounts and roles, sessions, tokens of other programs."""
