-- Each row is written three times: new, taken, ended. With room left on its page, taking it touches no index (HOT).
ALTER TABLE "deliveries" SET (fillfactor = 50);
