DROP INDEX "records_by_domain";--> statement-breakpoint
CREATE INDEX "records_by_domain_type" ON "records" USING btree ("domain_id","type","created_ms","id");--> statement-breakpoint
CREATE INDEX "records_by_domain" ON "records" USING btree ("domain_id","created_ms","id");