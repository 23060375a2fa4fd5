"""External identity providers: a module for each that is no plain OpenID Connect provider."""
