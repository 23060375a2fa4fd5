"""Auth's mails: the operator's templates or plain defaults, rendered; emulator.mail sends them."""
