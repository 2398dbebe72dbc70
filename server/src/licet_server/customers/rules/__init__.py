"""What a customer is: no I/O."""
