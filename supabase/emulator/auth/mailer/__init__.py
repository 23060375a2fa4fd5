"""What auth's mails say: the operator's templates or GoTrue's plain ones, rendered. They are sent by emulator.mail."""
