-- Invitations to register, where the operator has chosen `--registration invite` (docs/schools.md). See migrations/sqlite for what each
-- column is for. An older server goes on beside this: it leaves the table alone, and lets everybody register.
--
-- Locks: a new table; no other is touched but for the reference to players.

CREATE TABLE invitations (
    id            text COLLATE "C" NOT NULL PRIMARY KEY,
    code_hash     bytea            NOT NULL,
    note          text COLLATE "C" NOT NULL,
    uses          bigint           NOT NULL,
    used          bigint           NOT NULL,
    created_by    text COLLATE "C" REFERENCES players (id),
    created_ms    bigint           NOT NULL,
    expires_ms    bigint           NOT NULL,
    revoked_ms    bigint,
    UNIQUE (code_hash)
);

CREATE INDEX invitations_by_time ON invitations (created_ms DESC, id DESC);
CREATE INDEX invitations_by_expiry ON invitations (expires_ms, id);
-- What refers to a player.
CREATE INDEX invitations_author ON invitations (created_by) WHERE created_by IS NOT NULL;
