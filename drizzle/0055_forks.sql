ALTER TABLE "hosts" ADD COLUMN "pull_request" integer;--> statement-breakpoint
ALTER TABLE "forge_deliveries" ADD COLUMN "approved_by" text;--> statement-breakpoint
ALTER TABLE "project_repositories" ADD COLUMN "takes_forks" boolean DEFAULT false NOT NULL;