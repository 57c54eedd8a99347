"""${message}."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy import Text
${imports if imports else ""}

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}


def upgrade() -> None:
    """Make the change."""
    ${upgrades if upgrades else "pass"}
