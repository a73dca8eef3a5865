ALTER TABLE "manifest_entries" DROP CONSTRAINT "manifest_entries_manifest_id_manifests_id_fk";
--> statement-breakpoint
ALTER TABLE "manifest_entries" DROP CONSTRAINT "manifest_entries_blob_id_blobs_id_fk";
