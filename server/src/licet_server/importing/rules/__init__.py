"""What each kind of export says, and what becomes of it; pure."""
