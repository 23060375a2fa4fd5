"""The templates of all mails and their rendering: notifications/<kind>/ for members and admins, auth/ for GoTrue."""
