/* A long way in a short cable: forwards Ethernet frames between two TAP devices, each frame a fixed time after it came.
 *
 * Usage: delay TAP TAP MICROSECONDS. Many kernels come without netem; this needs only TUN/TAP. It does not shape: the
 * rate is the tbf's on the wire behind it. Frames keep their order and none is lost: when its queue is full it stops
 * reading, and the frames wait in the device's own queue.
 */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

/* A standard frame of 1514 bytes fits, with a VLAN tag too. 10 ms at 10 Gbit/s are some 8,000 of them. */
#define FRAME 1600
#define SLOTS 16384
/* Frames taken from one device before the other gets its turn. */
#define BATCH 64
/* Between two looks at the devices, in nanoseconds: a wake-up for each frame would cost more than the frames. */
#define TICK 200000u

struct frame {
    uint64_t due; /* nanoseconds of CLOCK_MONOTONIC */
    size_t length;
    unsigned char bytes[FRAME];
};

/* One direction: a ring between the device that is read and the one that is written. */
struct way {
    int from, to;
    size_t head, count;
    struct frame *ring;
};

static uint64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static int open_tap(const char *name)
{
    int fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK);
    if (fd < 0)
        fail("/dev/net/tun");
    struct ifreq request = {.ifr_flags = IFF_TAP | IFF_NO_PI};
    strncpy(request.ifr_name, name, IFNAMSIZ - 1);
    if (ioctl(fd, TUNSETIFF, &request) < 0)
        fail(name);
    return fd;
}

/* Takes what has come, up to a batch, and notes when it is due: it came half a tick ago, give or take. */
static int take(struct way *way, uint64_t delay)
{
    int i = 0;
    for (; i < BATCH && way->count < SLOTS; i++) {
        struct frame *frame = &way->ring[(way->head + way->count) % SLOTS];
        ssize_t length = read(way->from, frame->bytes, FRAME);
        if (length <= 0) {
            /* EIO and EINVAL: the device is down, and comes back with the wire. */
            if (length < 0 && errno != EAGAIN && errno != EINTR && errno != EIO && errno != EINVAL)
                fail("read");
            break;
        }
        frame->length = (size_t)length;
        frame->due = now() + delay - TICK / 2;
        way->count++;
    }
    return i;
}

/* Sends what is due. */
static void give(struct way *way)
{
    uint64_t time = now();
    while (way->count > 0 && way->ring[way->head].due <= time) {
        struct frame *frame = &way->ring[way->head];
        if (write(way->to, frame->bytes, frame->length) < 0 && errno == EAGAIN)
            return;
        way->head = (way->head + 1) % SLOTS;
        way->count--;
    }
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: %s TAP TAP MICROSECONDS\n", argv[0]);
        return 2;
    }
    int left = open_tap(argv[1]), right = open_tap(argv[2]);
    uint64_t delay = strtoull(argv[3], NULL, 10) * 1000u;
    struct way ways[2] = {{.from = left, .to = right}, {.from = right, .to = left}};
    for (int i = 0; i < 2; i++)
        if (!(ways[i].ring = calloc(SLOTS, sizeof(struct frame))))
            fail("memory");
    /* Wake up when asked to, not some 50 microseconds later, and not behind what else keeps this machine busy. */
    prctl(PR_SET_TIMERSLACK, 1UL);
    struct sched_param priority = {.sched_priority = 10};
    if (sched_setscheduler(0, SCHED_FIFO, &priority) < 0)
        perror("real-time priority (going on without)");
    puts("ready");
    fflush(stdout);

    for (;;) {
        struct pollfd wait[2];
        for (int i = 0; i < 2; i++) {
            while (ways[i].count < SLOTS && take(&ways[i], delay) == BATCH)
                give(&ways[i]);
            give(&ways[i]);
            wait[i] = (struct pollfd){.fd = ways[i].from, .events = POLLIN};
        }
        struct timespec tick = {0, TICK};
        if (ways[0].count + ways[1].count > 0)
            nanosleep(&tick, NULL);
        else if (poll(wait, 2, -1) < 0 && errno != EINTR)
            fail("poll");
    }
}
