"""Pictures for shared links: PNG, 1200 x 630 pixels, as Open Graph's readers expect them."""
