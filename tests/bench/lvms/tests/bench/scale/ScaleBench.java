package lvms.tests.bench.scale;

import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What operator and node agent cost with many volumes, beside a real etcd and kube-apiserver: a
 * table, what 1,000 volumes more cost, and a picture.
 */
public final class ScaleBench {
    /** What the product is made for; so 100,000 volumes have 400 nodes. */
    private static final int VOLUMES_OF_NODE = 250;

    private final Scale scale;
    private final Path sockets;

    private ScaleBench(Scale scale, Path sockets) {
        this.scale = scale;
        this.sockets = sockets;
    }

    /** Prints the table and draws the picture. */
    public static void main(String[] args) throws Exception {
        // A path of a socket has 107 bytes at most.
        new ScaleBench(Scale.of(args), Files.createTempDirectory("lvms-bench")).all();
    }

    private void all() throws Exception {
        var system = ManagementFactory.getOperatingSystemMXBean();
        double load = system.getSystemLoadAverage();
        System.out.println(Row.head());
        var operator = operator();
        var agent = agent();
        System.out.println();
        System.out.println(Row.slope(operator));
        System.out.println(Row.slope(agent));
        var machine =
                String.format(
                        Locale.ROOT,
                        "%d processors, load before the run %.1f",
                        system.getAvailableProcessors(),
                        load);
        System.out.println(machine);
        Files.writeString(scale.plot(), new Plot(operator, agent, machine).svg());
        System.out.println("picture: " + scale.plot());
    }

    private List<Row> operator() throws Exception {
        var rows = new ArrayList<Row>();
        try (var cluster = VolumeCluster.start(scale.folder().resolve("cluster"), VOLUMES_OF_NODE);
                var claims = Claims.open(cluster.client(), cluster.node("latest"))) {
            for (int volumes : scale.operator()) {
                cluster.grow(volumes);
                rows.add(
                        printed(new OperatorRun(scale, cluster, claims, sockets).measure(volumes)));
            }
        }
        return rows;
    }

    private List<Row> agent() throws Exception {
        var rows = new ArrayList<Row>();
        try (var cluster = VolumeCluster.start(scale.folder().resolve("node"), Integer.MAX_VALUE)) {
            for (int volumes : scale.agent()) {
                cluster.grow(volumes);
                rows.add(printed(new AgentRun(scale, cluster, sockets).measure(volumes)));
            }
        }
        return rows;
    }

    private static Row printed(Row row) {
        System.out.println(row.line());
        return row;
    }
}
