"""What an intruder finds: linkage by all that is known or by some items, and what is learnt from it."""
