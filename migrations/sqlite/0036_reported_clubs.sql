-- Reports of clubs: each is one about an officer of the club, and names the club. An older server goes on beside this: it shows the report
-- without the club.

-- No reference: the report stays when the club is closed.
ALTER TABLE reports ADD COLUMN club_id   TEXT; -- the reported club; null where a player is reported
ALTER TABLE reports ADD COLUMN club_name TEXT; -- its name at that time
