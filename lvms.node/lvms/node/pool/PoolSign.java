package lvms.node.pool;

import lvms.api.ThinPoolConfig;
import lvms.lvm2.device.ThinPoolUsage;

import java.util.Optional;

/**
 * What has to differ between two looks at a pool for a new decision; a few more used blocks do not
 * count, so an idle or slowly filling pool starts no process.
 *
 * @param config what its class asks for
 * @param hostExtends whether dmeventd of the host extends it
 * @param mode the kernel's mode
 * @param needsCheck whether its metadata needs a check
 * @param dataBlocks size of its data
 * @param metadataBlocks size of its metadata
 * @param data which marks the use of data has passed
 * @param metadata which marks the use of metadata has passed
 */
record PoolSign(
        Optional<ThinPoolConfig> config,
        boolean hostExtends,
        String mode,
        boolean needsCheck,
        long dataBlocks,
        long metadataBlocks,
        int data,
        int metadata) {
    private static final double[] MARKS = {50, 75, 80, 90, 95, 100};

    /**
     * @param most threshold of LVM itself, in percent
     */
    static PoolSign of(
            Optional<ThinPoolConfig> config, boolean hostExtends, ThinPoolUsage usage, int most) {
        int threshold = Math.min(most, config.map(ThinPoolConfig::thresholdPercent).orElse(100));
        return new PoolSign(
                config,
                hostExtends,
                usage.mode(),
                usage.needsCheck(),
                usage.dataBlocks(),
                usage.metadataBlocks(),
                passed(usage.dataUse(), threshold),
                passed(usage.metadataUse(), threshold));
    }

    private static int passed(double used, int threshold) {
        int marks = used * 100 >= threshold ? 1 : 0;
        for (double mark : MARKS) {
            marks += used * 100 >= mark ? 2 : 0;
        }
        return marks;
    }
}
