-- Unequal clocks: a challenge may give its two players time beyond base_ms. An older server goes on beside this: it makes challenges without it, and the
-- match of a challenge that it accepts has equal clocks.

ALTER TABLE challenges ADD COLUMN challenger_extra_ms INTEGER NOT NULL DEFAULT 0; -- on the clock at the start beyond base_ms
ALTER TABLE challenges ADD COLUMN opponent_extra_ms   INTEGER NOT NULL DEFAULT 0;
