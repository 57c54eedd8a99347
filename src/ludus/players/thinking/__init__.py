"""Minds that take seats at positions: their search trees, the pools that search them, and what was found."""
