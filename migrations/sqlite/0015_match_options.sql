-- A move that is taken back without asking, until the opponent has answered it. An older server goes on beside this: it makes matches without.
ALTER TABLE matches ADD COLUMN free_takebacks INTEGER NOT NULL DEFAULT 0; -- whether a player may do so
ALTER TABLE challenges ADD COLUMN free_takebacks INTEGER NOT NULL DEFAULT 0; -- as in matches

-- A Congkak match of rounds was ended with the round that it began with. It is known as what it was, a match whose last round that is: its
-- journal says no more, and would now be that of a match that goes on.
WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 20)
UPDATE matches SET setup = trim(replace(
        ',' || setup || ',',
        (SELECT ',rounds=' || n || ',' FROM numbers WHERE ',' || setup || ',' LIKE '%,rounds=' || n || ',%'),
        ',rounds=' || coalesce((SELECT n FROM numbers WHERE ',' || setup || ',' LIKE '%,round=' || n || ',%'), 1) || ','
    ), ',')
    WHERE game = 'congkak' AND reason = 'row-empty' AND setup LIKE '%rounds=%';
