"""Trainings as calendars (§12.3): rows read as one member sees them, written as iCalendar (RFC 5545)."""
