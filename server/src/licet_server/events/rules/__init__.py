"""What an event is and which kinds there are: pure values, no I/O."""
