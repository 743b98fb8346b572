"""The pages for people: server-rendered frames, filled by plain scripts from the API."""
