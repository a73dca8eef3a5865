ALTER TABLE "installation_id" ADD COLUMN "directory" text;--> statement-breakpoint
ALTER TABLE "installation_id" ADD COLUMN "directory_place" text;