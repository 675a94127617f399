package lvms.operator.takeover.pool;

import java.util.List;
import java.util.stream.Stream;

/**
 * How full a thin pool is.
 *
 * @param group name of its volume group
 * @param pool name of the pool
 * @param data percent of its data that is used
 * @param metadata percent of its metadata that is used
 */
record PoolLevel(String group, String pool, double data, double metadata) {
    /** Prints a line for each thin pool of the host; {@link #read} reads it. */
    static final List<String> COMMAND =
            List.of(
                    "nsenter",
                    "--mount",
                    "--uts",
                    "--ipc",
                    "--net",
                    "--pid",
                    "--target=1",
                    "lvs",
                    "--noheadings",
                    "--separator=,",
                    "--options=vg_name,lv_name,data_percent,metadata_percent",
                    "--select=segtype=thin-pool");

    /** Reads what the command prints. A pool that is not active has no percentages. */
    static Stream<PoolLevel> read(String output) {
        return output.lines()
                .map(line -> line.strip().split(","))
                .filter(words -> words.length == 4)
                .map(
                        words ->
                                new PoolLevel(
                                        words[0],
                                        words[1],
                                        Double.parseDouble(words[2]),
                                        Double.parseDouble(words[3])));
    }

    /** Says what our agent makes of it. */
    String text(String node, int thresholdPercent) {
        boolean gated = Math.max(data, metadata) >= thresholdPercent;
        return "thin pool "
                + group
                + "/"
                + pool
                + " on node "
                + node
                + " has used "
                + Math.round(data)
                + " percent of its data and "
                + Math.round(metadata)
                + " of its metadata: "
                + (gated
                        ? "it gets no new volume from us, since that is not below thresholdPercent"
                        : "it gets new volumes up to thresholdPercent")
                + " ("
                + thresholdPercent
                + "); its data grows only if growthStepPercent is set";
    }
}
