# How a number came about. $os is the system's name: linux, windows or macos.
evidence-heading = How it was measured
evidence-line = { $workload }: { $text }
# The same, for some of the rounds only.
evidence-line-some = { $workload }: { $text } ({ $count } of { $total } rounds)

evidence-write-direct =
    { $os ->
        [linux] past this machine's cache, each block acknowledged as durable (O_DIRECT, O_DSYNC)
        [windows] past this machine's cache, each block acknowledged as durable (no buffering, write-through)
       *[other] past this machine's cache, each block acknowledged as durable
    }
evidence-write-cached =
    { $os ->
        [linux] through this machine's cache, each block acknowledged as durable (O_DSYNC)
        [windows] through this machine's cache, each block acknowledged as durable (write-through)
       *[other] through this machine's cache, each block acknowledged as durable
    }
evidence-write-flushed = through this machine's cache; one flush at the end, inside the timer, acknowledged as durable
evidence-write-acknowledged = answered by the server; its protocol has no word for durable, so the bytes may have been in the server's memory only
evidence-write-buffered = through this machine's cache, nothing asked to be durable; only what closing the file sent is in the time

evidence-read = { $mode }; { $proof }
evidence-read-direct =
    { $os ->
        [linux] past this machine's cache (O_DIRECT)
        [windows] past this machine's cache (no buffering)
       *[other] past this machine's cache
    }
evidence-read-dropped = through this machine's cache, after the file was dropped from it
evidence-read-cached = through this machine's cache, which was free to answer
evidence-proof-empty = nothing of the file was in it when the read began (counted with { $tool })
evidence-proof-resident = up to { $bytes } of the file were in it when the read began (counted with { $tool })
evidence-proof-accepted = the system accepted that; nothing else shows it
evidence-proof-refused = Windows' network client refused to do without a copy of its own (FSCTL_DISABLE_LOCAL_BUFFERING), and may have answered from it
evidence-proof-own-protocol = sharemark spoke the protocol itself, so no cache of this machine stands in between
evidence-proof-none = nothing shows what the cache held

evidence-content = content: every byte read was compared with what was written, right in { $right } of { $total } reads ({ $read } of { $written } written)
evidence-data-both = data: { $data }; this machine makes it at { $made } and checks it at { $checked }
evidence-data-made = data: { $data }; this machine makes it at { $made }
evidence-data-checked = data: { $data }; this machine checks it at { $checked }
evidence-server-acknowledged = server: acknowledged means that the server said so; whether the bytes were on its disk by then is the server's own setting
evidence-server-memory = server: each file was read { $settle } after it was written, so the server may have answered from its own memory
evidence-wire-agrees = wire: { $interface } carried the bytes claimed, in { $count } of { $total } measurements
evidence-wire-none = wire: the bytes on the network and their path were not looked at
evidence-write-protocol = by the protocol itself, each block acknowledged as durable
evidence-write-protocol-flushed = by the protocol itself, made durable by one flush at the end, inside the timer
evidence-both = written { $written }; read { $read }
evidence-names-client = asked of this machine's client, which may have answered from memory
evidence-names-server = asked of the server each time
evidence-content-read = content: every byte read was compared with what was written, right in { $right } of { $total } phases ({ $read })
evidence-content-written = content: of what was written at random places, some blocks were read back afterwards, right in { $right } of { $total } phases
evidence-read-protocol = by the protocol itself, so that no cache of this machine stands in between
evidence-connection = connection: { $facts }
connection-plain = { $value }
connection-dialect = SMB { $value }
connection-version = NFS { $value }
connection-export = export { $value }
connection-tls = TLS { $value }
connection-cipher = cipher { $value }
connection-signing = signing { $value }
connection-encryption = encryption { $value }
connection-login = login { $value }
connection-connections = connections: { $value }
connection-credits = credits: { $value }
connection-max-read = reads of at most { $value }
connection-max-write = writes of at most { $value }
connection-connect = connected in { $value }
connection-login-time = logged in within { $value }
connection-round-trip = round trip { $value }
