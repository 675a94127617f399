package lvms.tests.cluster;

import lvms.tests.cluster.PlaneOptions.Part;
import lvms.tests.lab.machine.CommandResult;
import lvms.tests.lab.machine.Disk;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** Answers requests to a cluster of this process. */
record ClusterRequests(RunningCluster cluster) {
    private static final int REQUEST_FAILED = 255;
    private static final CommandResult DONE = new CommandResult(0, "", "");

    private interface Action {
        void run() throws Exception;
    }

    /** Answers one request; a failure is an answer too. */
    CommandResult answer(List<String> words) {
        try {
            return switch (words.getFirst()) {
                case "run" -> run(words);
                case "status" -> text(cluster.status());
                case "namespace" -> text(cluster.networkNamespace().toString());
                case "nodes" -> text(String.join("\n", cluster.nodeNames()));
                case "add-node" -> done(() -> cluster.addNode(NodeRequest.spec(words)));
                case "remove-node" -> done(() -> cluster.removeNode(words.get(1)));
                case "kubeconfig" -> kubeconfig(words);
                case "control" -> control(words.subList(1, words.size()));
                default -> ofNode(words);
            };
        } catch (Exception e) {
            return new CommandResult(REQUEST_FAILED, "", e + "\n");
        }
    }

    private CommandResult run(List<String> words) throws Exception {
        var deadline = Duration.ofMillis(Long.parseLong(words.get(1)));
        return cluster.node(words.get(2)).machine().run(words.subList(3, words.size()), deadline);
    }

    private CommandResult kubeconfig(List<String> words) throws Exception {
        var path =
                words.size() == 1
                        ? cluster.kubeconfig()
                        : cluster.plane()
                                .kubeconfig(
                                        words.get(1),
                                        words.subList(2, words.size()).toArray(String[]::new));
        return text(path.toString());
    }

    private CommandResult control(List<String> words) throws Exception {
        var plane = cluster.plane();
        synchronized (plane) {
            return switch (words.getFirst()) {
                case "freeze" -> done(plane::freeze);
                case "thaw" -> done(plane::thaw);
                case "kill" -> done(plane::kill);
                case "start" -> done(plane::restart);
                case "certificate" ->
                        done(() -> plane.restartWithCertificate(words.get(1).equals("expired")));
                case "kill-part" -> done(() -> plane.killPart(Part.valueOf(words.get(1))));
                case "start-part" -> done(() -> plane.startPart(Part.valueOf(words.get(1))));
                case "compact" -> done(plane::compact);
                case "metrics" -> text(plane.metrics());
                case "folder" -> text(plane.logs().toString());
                default -> unknown(words.getFirst());
            };
        }
    }

    private CommandResult ofNode(List<String> words) throws Exception {
        if (words.size() < 2) {
            return unknown(words.getFirst());
        }
        var node = cluster.node(words.get(1));
        return switch (words.getFirst()) {
            case "address" -> text(node.address());
            case "running" -> text(Boolean.toString(node.machine().running()));
            case "folder" -> text(node.machine().console().getParent().toString());
            case "power-cut" -> done(node.machine()::powerCut);
            case "power-off" -> done(node.machine()::powerOff);
            case "boot" -> done(() -> cluster.boot(words.get(1)));
            case "disks" -> text(disks(node));
            case "add-disk" -> text(ClusterNode.text(addDisk(node, words.get(2))));
            case "remove-disk" -> done(() -> removeDisk(node, words.get(2)));
            case "connect" ->
                    done(() -> node.machine().connect(Boolean.parseBoolean(words.get(2))));
            default -> unknown(words.getFirst());
        };
    }

    private static CommandResult unknown(String request) {
        return new CommandResult(REQUEST_FAILED, "", "no request " + request + "\n");
    }

    private static String disks(KubeNode node) {
        return node.disks().stream().map(ClusterNode::text).collect(Collectors.joining("\n"));
    }

    private static Disk addDisk(KubeNode node, String size) throws Exception {
        return node.machine().addDisk(Long.parseLong(size));
    }

    private static void removeDisk(KubeNode node, String unit) throws Exception {
        for (var disk : node.disks()) {
            if (disk.unit() == Integer.parseInt(unit)) {
                node.machine().removeDisk(disk);
            }
        }
    }

    private static CommandResult text(String text) {
        return new CommandResult(0, text + "\n", "");
    }

    private static CommandResult done(Action action) throws Exception {
        action.run();
        return DONE;
    }
}
