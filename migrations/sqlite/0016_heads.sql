-- The head of a match is the seq of its last entry, which the key of the entries tells: a move writes its entry, and no row beside it.
ALTER TABLE matches DROP COLUMN head;
