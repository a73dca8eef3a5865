ALTER TABLE "blobs" ADD COLUMN "encode_after_ms" bigint;--> statement-breakpoint
ALTER TABLE "blobs" ADD COLUMN "encode_attempts" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "blobs" ADD COLUMN "br_object" text;--> statement-breakpoint
ALTER TABLE "blobs" ADD COLUMN "br_size" bigint;--> statement-breakpoint
ALTER TABLE "blobs" ADD COLUMN "gzip_object" text;--> statement-breakpoint
ALTER TABLE "blobs" ADD COLUMN "gzip_size" bigint;--> statement-breakpoint
CREATE INDEX "blobs_to_encode" ON "blobs" USING btree ("encode_after_ms") WHERE "blobs"."encode_after_ms" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "blobs_by_br_object" ON "blobs" USING btree ("br_object") WHERE "blobs"."br_object" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "blobs_by_gzip_object" ON "blobs" USING btree ("gzip_object") WHERE "blobs"."gzip_object" is not null;