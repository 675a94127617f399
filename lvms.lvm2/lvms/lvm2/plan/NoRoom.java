package lvms.lvm2.plan;

/** LVM gives up the whole request at this point. */
final class NoRoom extends Exception {
    private static final long serialVersionUID = 1;

    NoRoom() {
        super(null, null, false, false);
    }
}
