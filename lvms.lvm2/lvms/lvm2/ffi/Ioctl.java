package lvms.lvm2.ffi;

/**
 * Numbers of ioctl(2) requests as {@code asm/ioctl.h} of the architecture makes them: direction,
 * size of the argument, type and number of the request, from the highest bit to the lowest.
 *
 * @param directionShift where the direction begins
 * @param none the direction of a request without an argument that the kernel copies
 * @param readWrite the direction of one with an argument that it reads and writes
 */
record Ioctl(int directionShift, long none, long readWrite) {
    /** Of {@code asm-generic}: x86-64, aarch64, s390x, riscv64. */
    private static final Ioctl GENERIC = new Ioctl(30, 0, 3);

    private static final Ioctl POWER = new Ioctl(29, 1, 6);
    private static final Ioctl HERE = of(System.getProperty("os.arch"));
    private static final int SIZE_SHIFT = 16;
    private static final int TYPE_SHIFT = 8;

    /**
     * Returns those of an architecture.
     *
     * @param architecture as {@code os.arch} names it
     */
    static Ioctl of(String architecture) {
        return architecture.startsWith("ppc64") ? POWER : GENERIC;
    }

    /** {@code _IO} of this machine. */
    static long io(int type, int number) {
        return HERE.request(HERE.none, type, number, 0);
    }

    /** {@code _IOWR} of this machine, with the size of the argument in bytes. */
    static long iowr(int type, int number, long size) {
        return HERE.request(HERE.readWrite, type, number, size);
    }

    long request(long direction, int type, int number, long size) {
        return direction << directionShift
                | size << SIZE_SHIFT
                | (long) type << TYPE_SHIFT
                | number;
    }
}
