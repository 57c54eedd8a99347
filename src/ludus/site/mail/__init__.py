"""Mail to accounts, if the operator has configured it: their addresses, and letters about games over days."""
