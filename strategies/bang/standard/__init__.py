"""An experienced player: whom he believes to be what, and what that is worth to his side, living and dead."""
