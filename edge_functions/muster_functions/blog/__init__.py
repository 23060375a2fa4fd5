"""What crawlers and feed readers get of the blog: feed, sitemap, and the page of an article with its own head."""
