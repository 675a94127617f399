package lvms.lvm2.plan;

/** LVM gives the whole request up at this point. */
final class NoRoom extends Exception {
    private static final long serialVersionUID = 1;

    NoRoom() {
        super(null, null, false, false);
    }
}
