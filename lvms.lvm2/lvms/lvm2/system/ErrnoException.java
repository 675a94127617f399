package lvms.lvm2.system;

import java.io.IOException;

/** A system call or C library function failed; {@link #errno} says why, as in errno(3). */
public final class ErrnoException extends IOException {
    /** No such file or directory. */
    public static final int ENOENT = 2;

    /** Interrupted by a signal before anything happened. */
    public static final int EINTR = 4;

    /** Input or output error. */
    public static final int EIO = 5;

    /** No such device or address; from the device-mapper: no device of this name. */
    public static final int ENXIO = 6;

    /** Try again: the lock is held. */
    public static final int EAGAIN = 11;

    /** Device or resource busy. */
    public static final int EBUSY = 16;

    /** It exists already. */
    public static final int EEXIST = 17;

    /** No such device. */
    public static final int ENODEV = 19;

    /** Invalid argument; from umount2(2): not a mount point. */
    public static final int EINVAL = 22;

    /** The driver does not know the request. */
    public static final int ENOTTY = 25;

    /** Read-only file system. */
    public static final int EROFS = 30;

    /** The device cannot do it. */
    public static final int EOPNOTSUPP = 95;

    /** No room in a buffer; from a netlink socket: messages were lost. */
    public static final int ENOBUFS = 105;

    private static final long serialVersionUID = 1L;
    private final int errno;

    /**
     * Says what was tried and what came back.
     *
     * @param tried the call and its argument
     * @param errno the number, Linux numbering
     * @param meaning what strerror(3) says of it
     */
    public ErrnoException(String tried, int errno, String meaning) {
        super(tried + ": " + meaning + " (errno " + errno + ")");
        this.errno = errno;
    }

    /** Returns the error number. */
    public int errno() {
        return errno;
    }
}
