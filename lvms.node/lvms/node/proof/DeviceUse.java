package lvms.node.proof;

/**
 * Who uses a device that is about to be written to.
 *
 * @param device its node
 * @param free whether nobody has it open exclusively, asked right before the act
 */
public record DeviceUse(String device, boolean free) {}
