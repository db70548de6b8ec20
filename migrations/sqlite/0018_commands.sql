-- The head of an append already keeps a command from being written twice: a writer with the right head has read every command before it
-- (docs/decisions/0019-narrow-writes.md). The index was half of the bytes of a move.
DROP INDEX entries_client;
