ALTER TABLE "traffic" ADD COLUMN "responses_2xx" bigint;--> statement-breakpoint
ALTER TABLE "traffic" ADD COLUMN "responses_3xx" bigint;--> statement-breakpoint
ALTER TABLE "traffic" ADD COLUMN "responses_4xx" bigint;--> statement-breakpoint
ALTER TABLE "traffic" ADD COLUMN "responses_404" bigint;