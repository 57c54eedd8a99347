"""The bots that are attached, and the questions that the site asks them."""
