package lvms.lvm2.device;

/**
 * Status of a thin-pool target; kernel documentation {@code device-mapper/thin-provisioning.rst}.
 *
 * @param transactionId transaction counter
 * @param usedMetadataBlocks used metadata blocks of 4 KiB
 * @param metadataBlocks all metadata blocks
 * @param usedDataBlocks used chunks
 * @param dataBlocks all chunks
 * @param mode {@code rw}, {@code ro}, {@code out_of_data_space}; {@code Fail} or {@code Error} if
 *     the pool is dead, and then all numbers are 0
 * @param queuesWhenFull whether writes wait for space, instead of failing, when it is full
 * @param needsCheck whether thin_check must be run
 */
public record ThinPoolUsage(
        long transactionId,
        long usedMetadataBlocks,
        long metadataBlocks,
        long usedDataBlocks,
        long dataBlocks,
        String mode,
        boolean queuesWhenFull,
        boolean needsCheck) {
    /**
     * Parses the status text.
     *
     * @throws IllegalArgumentException if it is not the status of a thin pool
     */
    public static ThinPoolUsage parse(String status) {
        var words = status.strip().split("\\s+");
        if (words[0].equals("Fail") || words[0].equals("Error")) {
            return new ThinPoolUsage(0, 0, 0, 0, 0, words[0], false, true);
        }
        if (words.length < 5) {
            throw new IllegalArgumentException("not a status of a thin pool: " + status);
        }
        var metadata = fraction(words[1]);
        var data = fraction(words[2]);
        boolean queues = status.contains("queue_if_no_space");
        boolean check = status.contains("needs_check");
        return new ThinPoolUsage(
                Long.parseLong(words[0]),
                metadata[0],
                metadata[1],
                data[0],
                data[1],
                words[4],
                queues,
                check);
    }

    /** Returns how full the data is, 0 to 1. */
    public double dataUse() {
        return dataBlocks == 0 ? 0 : (double) usedDataBlocks / dataBlocks;
    }

    /** Returns how full the metadata is, 0 to 1. */
    public double metadataUse() {
        return metadataBlocks == 0 ? 0 : (double) usedMetadataBlocks / metadataBlocks;
    }

    /** Returns whether the pool reads and writes as it should. */
    public boolean healthy() {
        return mode.equals("rw") && !needsCheck;
    }

    private static long[] fraction(String word) {
        int slash = word.indexOf('/');
        if (slash < 0) {
            throw new IllegalArgumentException("not a fraction: " + word);
        }
        return new long[] {
            Long.parseLong(word.substring(0, slash)), Long.parseLong(word.substring(slash + 1))
        };
    }
}
