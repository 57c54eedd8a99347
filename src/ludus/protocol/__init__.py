"""What programs say to one another, as data: messages, tables of who may say what when; no input or output."""
