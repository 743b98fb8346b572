"""The game: cards, hands, pay tables, house rules, settlement and odds, with nothing but the standard library."""
