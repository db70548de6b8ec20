-- The database looks for references to a player before it deletes one; without an index it reads all reports for each guest. An older server
-- goes on beside this.
-- Locks: the table has few rows.
CREATE INDEX reports_appeal_judge ON reports (appeal_by) WHERE appeal_by IS NOT NULL;
