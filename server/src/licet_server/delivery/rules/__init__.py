"""Rules of templates: what they may contain, how they are rendered, and which one applies."""
