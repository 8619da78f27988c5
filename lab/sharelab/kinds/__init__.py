"""A kind of scenario a file; a scenario's data name it with `kind`. Each has run(data, checks)."""
