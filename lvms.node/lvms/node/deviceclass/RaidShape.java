package lvms.node.deviceclass;

/**
 * How a RAID volume spreads over physical volumes: it has {@code images} legs of equal size, each
 * on physical volumes of its own. {@code dataImages} of them hold what the user can use.
 *
 * @param images number of legs, at least 2
 * @param dataImages legs that count as user data, from 1 to {@code images - 1}
 */
public record RaidShape(int images, int dataImages) {
    /** Checks that there is redundancy. */
    public RaidShape {
        if (dataImages < 1 || images <= dataImages) {
            throw new IllegalArgumentException(
                    "not a RAID shape: " + dataImages + " of " + images + " images hold data");
        }
    }
}
