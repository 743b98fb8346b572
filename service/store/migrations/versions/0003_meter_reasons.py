"""Why somebody adjusted a meter, beside the movement."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; movements from before it have their reason in the audit log alone."""
    op.add_column("meter_entries", sa.Column("reason", sa.String(), nullable=True))
