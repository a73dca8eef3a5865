DROP INDEX "log_lines_by_age";--> statement-breakpoint
CREATE INDEX "log_lines_by_age" ON "log_lines" USING btree ("kind","time_ms");