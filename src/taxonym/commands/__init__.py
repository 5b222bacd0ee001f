"""The commands, one file each: read, call, print. cli.py names them; nothing else imports them."""
