"""Protocols of chess programs: modules that `about` names, loaded only when a command asks for one."""
