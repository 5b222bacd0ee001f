"""The screens, one file each: what is asked of them, what they show and what they change."""
