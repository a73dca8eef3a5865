ALTER TABLE "deployments" ADD COLUMN "release_begun_ms" bigint;--> statement-breakpoint
ALTER TABLE "deployments" ADD COLUMN "release_ended_ms" bigint;--> statement-breakpoint
ALTER TABLE "deployments" ADD COLUMN "release_lease_until_ms" bigint;