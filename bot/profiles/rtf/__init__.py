"""Rich Text Format documents as résumés."""
