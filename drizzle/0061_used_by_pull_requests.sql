ALTER TABLE "branches" ADD COLUMN "pull_request" integer;--> statement-breakpoint
ALTER TABLE "deployments" ADD COLUMN "pushed_too" boolean DEFAULT false NOT NULL;