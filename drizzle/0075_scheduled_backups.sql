CREATE TABLE "backup_schedules" (
	"location" text PRIMARY KEY NOT NULL,
	"since_ms" bigint NOT NULL,
	"holder" text,
	"lease_ends_ms" bigint,
	"failed_ms" bigint,
	"failure" text
);
--> statement-breakpoint
CREATE TABLE "scheduled_backups" (
	"location" text NOT NULL,
	"name" text NOT NULL,
	"started_ms" bigint NOT NULL,
	"finished_ms" bigint NOT NULL,
	"bytes" bigint NOT NULL,
	CONSTRAINT "scheduled_backups_location_name_pk" PRIMARY KEY("location","name")
);
