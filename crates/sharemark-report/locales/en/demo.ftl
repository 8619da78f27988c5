# The demonstration.
cli-demo = See it work: measure a small server in this program's own memory, over two simulated wires, in about half a minute
cli-demo-says =
    This is a demonstration: one store in this program's memory, reached over two simulated wires.
    { $fast } carries { $fast-rate } Mbit/s, with a round trip of at least { $fast-time } ms; { $slow } carries { $slow-rate } Mbit/s, with at least { $slow-time } ms.
    Nothing leaves this machine, and nothing is kept in the history.
cli-demo-failed = The demonstration could not be started: { $system }
