-- The keys under which programs send requests that create something, so that a request that is sent twice creates one thing. An older server
-- goes on beside this: it leaves the table alone, and creates a thing for each request.
CREATE TABLE request_keys (
    player_id  text COLLATE "C" NOT NULL REFERENCES players (id), -- the sender
    key        text COLLATE "C" NOT NULL,                         -- as the sender has chosen it
    digest     bytea            NOT NULL,                         -- of the route and the body: another request may not have the same key
    made_id    text COLLATE "C" NOT NULL,                         -- the id that the match or the challenge gets, drawn before it is created
    created_ms bigint           NOT NULL,                         -- when the key came first
    PRIMARY KEY (player_id, key)
);

-- Expired keys are deleted by their age.
CREATE INDEX request_keys_by_age ON request_keys (created_ms);
