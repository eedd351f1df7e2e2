"""What truly differs between databases, as objects: no ``if dialect == …`` elsewhere."""
