#!/bin/sh
# The first process in the guest. Its root folder is the host's, seen through hostfs; what it changes stays in memory.
# The kernel's command line gives: smlab_folder (this run's folder on the host), smlab_address, smlab_python.
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8

mount -t proc proc /proc
mount -t sysfs sysfs /sys
mountpoint -q /dev || mount -t devtmpfs dev /dev
mount -t tmpfs run /run
# An empty folder of the workspace holds all mount points and the guest's own files: nothing of the host's is hidden,
# wherever the repository lies.
mount -t tmpfs guest "$smlab_folder/guest"

ip link set lo up
ip address add "$smlab_address/24" dev vec0
# Packets of the wire's size, so that the counters on the NAS side see them as a wire would.
ethtool -K vec0 tso off gso off >/dev/null 2>&1
ip link set vec0 up

# mount.cifs fails with ENOENT when the kernel cannot find one of these ciphers.
modprobe -aq cifs sha512_generic cmac hmac sha256_generic md5 aes_generic ccm gcm ecb nfs nfsv3 nfsv4 ||
    echo "a module is missing"

# The channel to the host: bytes as they are, no echo, no line discipline.
stty -F /dev/ttyS0 raw -echo
# As our child, not in our place: this shell then collects the orphans, as the first process must.
"$smlab_python" -ESu "$smlab_folder/agent.py" </dev/ttyS0 >/dev/ttyS0
echo o >/proc/sysrq-trigger
sleep 60
