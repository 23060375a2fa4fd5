"""The blog for crawlers and feed readers: RSS, sitemap, and article pages with their own head."""
