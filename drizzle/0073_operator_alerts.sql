CREATE TABLE "operator_alerts" (
	"machine" text NOT NULL,
	"name" text NOT NULL,
	"place" text NOT NULL,
	"alert" jsonb NOT NULL,
	"is_on" boolean NOT NULL,
	"begun_ms" bigint NOT NULL,
	"said_ms" bigint NOT NULL,
	"seen_ms" bigint NOT NULL,
	"change" text,
	"due_ms" bigint,
	"attempts" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "operator_alerts_machine_name_place_pk" PRIMARY KEY("machine","name","place")
);
--> statement-breakpoint
CREATE INDEX "operator_alerts_due" ON "operator_alerts" USING btree ("due_ms") WHERE "operator_alerts"."change" is not null;--> statement-breakpoint
CREATE INDEX "operator_alerts_seen" ON "operator_alerts" USING btree ("seen_ms");