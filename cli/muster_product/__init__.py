"""What this repository's own project adds to the control plane: its web application, demo community and commands."""
